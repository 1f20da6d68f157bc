import CCurl
import Glibc

// The functions libcurl calls, all on the loop's thread. Each unwraps its transfer, which the loop keeps alive as
// long as its handle is in the multi handle, and calls one method of it.

extension EasyHandle {
    /// Makes the handle call `transfer`.
    func call(_ transfer: Transfer) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        unsafe ccurl_set_pointer(pointer, CURLOPT_PRIVATE, context)
        unsafe ccurl_set_write_function(pointer, receiveBody)
        unsafe ccurl_set_pointer(pointer, CURLOPT_WRITEDATA, context)
        unsafe ccurl_set_header_function(pointer, receiveHeader)
        unsafe ccurl_set_pointer(pointer, CURLOPT_HEADERDATA, context)
        unsafe ccurl_set_open_socket_function(pointer, openSocket)
        unsafe ccurl_set_close_socket_function(pointer)
        unsafe ccurl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, context)
        unsafe ccurl_set_prerequest_function(pointer, checkConnection)
        unsafe ccurl_set_pointer(pointer, CURLOPT_PREREQDATA, context)
    }

    /// Makes the handle read the body to send from `transfer`.
    func callForBody(_ transfer: Transfer) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        unsafe ccurl_set_read_function(pointer, sendBody)
        unsafe ccurl_set_pointer(pointer, CURLOPT_READDATA, context)
        unsafe ccurl_set_seek_function(pointer, rewindBody)
        unsafe ccurl_set_pointer(pointer, CURLOPT_SEEKDATA, context)
    }
}

/// The transfer behind a callback's context.
@unsafe
func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context), let bytes = unsafe bytes else { return 0 }
    let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return switch unsafe transfer.receive(buffer.bytes) {
    case .taken: size * count
    case .paused: Int(CURL_WRITEFUNC_PAUSE)
    case .failed: size * count == 0 ? 1 : 0
    }
}

private func sendBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context), let bytes = unsafe bytes else {
        return Int(CURL_READFUNC_ABORT)
    }
    return unsafe transfer.send(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        ?? Int(CURL_READFUNC_ABORT)
}

private func rewindBody(_ context: UnsafeMutableRawPointer?, _ offset: curl_off_t, origin: Int32) -> Int32 {
    guard let transfer = unsafe transfer(context), origin == SEEK_SET, offset >= 0 else {
        return CURL_SEEKFUNC_FAIL
    }
    return transfer.rewind(to: UInt64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func receiveHeader(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context), let bytes = unsafe bytes else { return 0 }
    let isTaken = unsafe transfer.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return isTaken ? size * count : 0
}

private func openSocket(
    _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
    address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let transfer = unsafe transfer(context), let address = unsafe address else { return -1 }
    // The field is declared as a `sockaddr`, but libcurl keeps the longer IPv6 form in the same place.
    let start = unsafe UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
    let length = unsafe min(Int(address.pointee.addrlen), MemoryLayout<sockaddr_in6>.size)
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length))
    guard transfer.allowsConnection(to: bytes) else { return -1 }
    let type = unsafe address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return unsafe socket(address.pointee.family, type, address.pointee.protocol)
}

private func checkConnection(
    _ context: UnsafeMutableRawPointer?, _ remoteAddress: UnsafeMutablePointer<CChar>?,
    localAddress: UnsafeMutablePointer<CChar>?, remotePort: Int32, localPort: Int32
) -> Int32 {
    guard let transfer = unsafe transfer(context), let remoteAddress = unsafe remoteAddress else {
        return CURL_PREREQFUNC_ABORT
    }
    let text = unsafe String(cString: remoteAddress)
    return transfer.allowsRequest(on: text, port: UInt16(clamping: remotePort))
        ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
