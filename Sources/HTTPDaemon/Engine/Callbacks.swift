internal import CMicroHTTPD
internal import Glibc

// The functions libmicrohttpd calls: each checks its pointers, unwraps the object and calls one method.

typealias RequestContext = UnsafeMutablePointer<UnsafeMutableRawPointer?>

/// The request line has arrived: an exchange begins. Retained here, released in `requestCompleted`.
func requestStarted(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let core = unsafe DaemonCore.unwrap(context), let handle = unsafe handle,
        let socketContext = unsafe mhd_shim_socket_context(handle)
    else { return nil }
    let connection = unsafe Unmanaged<Connection>.fromOpaque(socketContext).takeUnretainedValue()
    let bytes = unsafe target.map { unsafe takeTarget($0) } ?? []
    let exchange = unsafe Exchange(core: core, connection: connection, handle: handle, target: bytes)
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// Copies the target, and hides the query from libmicrohttpd: it would split it in place, and with more arguments
/// than its memory holds the request would never be answered.
private func takeTarget(_ target: UnsafePointer<CChar>) -> [UInt8] {
    let bytes = unsafe UnsafeBufferPointer(start: target, count: strlen(target)).map { UInt8(bitPattern: $0) }
    if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
        unsafe UnsafeMutablePointer(mutating: target)[mark + 1] = 0
    }
    return bytes
}

/// Is called when the header section, a part of the content, or the end of the request has arrived, or when a
/// suspension is over.
func requestArrived(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ content: UnsafePointer<CChar>?,
    _ contentSize: UnsafeMutablePointer<Int>?, _ requestContext: RequestContext?
) -> MHD_Result {
    guard let handle = unsafe handle, let contentSize = unsafe contentSize,
        let exchange = unsafe Exchange.unwrap(requestContext)
    else { return .NO }
    let part = unsafe UnsafeRawBufferPointer(start: content, count: contentSize.pointee)
    unsafe contentSize.pointee = 0
    let head = unsafe HeadPointers(
        path: path, method: method, version: version, size: mhd_shim_head_size(handle))
    return unsafe exchange.proceed(on: handle, head: head, content: part) ? .YES : .NO
}

/// The response was sent, or the connection ended before that.
func requestCompleted(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ requestContext: RequestContext?,
    _ reason: MHD_RequestTerminationCode
) {
    guard let pointer = unsafe requestContext?.pointee else { return }
    unsafe requestContext?.pointee = nil
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    exchange.complete(isWhole: reason == .REQUEST_TERMINATED_COMPLETED_OK)
}

/// A connection was accepted, or is about to be closed. Retained in the first, released in the second.
func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ socketContext: RequestContext?,
    _ event: MHD_ConnectionNotificationCode
) {
    guard let core = unsafe DaemonCore.unwrap(context), let handle = unsafe handle,
        let socketContext = unsafe socketContext
    else { return }
    if event == .CONNECTION_NOTIFY_STARTED {
        let peer = unsafe mhd_shim_peer(handle).map { unsafe SocketAddress(copying: $0).host } ?? ""
        let connection = unsafe Connection(descriptor: mhd_shim_socket(handle), peer: peer)
        unsafe socketContext.pointee = Unmanaged.passRetained(connection).toOpaque()
        core.watch.opened(connection)
    } else if let pointer = unsafe socketContext.pointee {
        unsafe socketContext.pointee = nil
        core.watch.closed(unsafe Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue())
    }
}

/// Decides whether to accept a new connection.
func connectionOffered(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> MHD_Result {
    unsafe DaemonCore.unwrap(context)?.isStopping == false ? .YES : .NO
}

/// Leaves percent-encoding unchanged: `RequestTarget` reads the target.
func keepEncoding(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ text: UnsafeMutablePointer<CChar>?
) -> Int {
    guard let text = unsafe text else { return 0 }
    return unsafe strlen(text)
}

/// Is called when more of a stream body is needed.
func readStream(
    _ context: UnsafeMutableRawPointer?, _ offset: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context = unsafe context, let buffer = unsafe buffer else { return mhd_shim_end_with_error }
    let stream = unsafe Unmanaged<StreamBody>.fromOpaque(context).takeUnretainedValue()
    return unsafe stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size), at: offset)
}

/// A stream body is not needed any more.
func releaseStream(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<StreamBody>.fromOpaque(context).takeRetainedValue().release()
}

/// The last response over a mapping is gone.
func releaseMapping(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<MappedFile>.fromOpaque(context).release()
}

extension Exchange {
    fileprivate static func unwrap(_ context: RequestContext?) -> Exchange? {
        guard let pointer = unsafe context?.pointee else { return nil }
        return unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    }
}

extension DaemonCore {
    fileprivate static func unwrap(_ context: UnsafeMutableRawPointer?) -> DaemonCore? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<DaemonCore>.fromOpaque(context).takeUnretainedValue()
    }
}
