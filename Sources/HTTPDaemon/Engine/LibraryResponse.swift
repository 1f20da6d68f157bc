internal import CMicroHTTPD
internal import Glibc
internal import HTTPTypes

/// Owner of one reference to an `MHD_Response`.
///
/// `@unchecked Sendable`: the response is complete after `init`; libmicrohttpd counts references under a lock
/// of its own and reads the rest only.
@safe final class LibraryResponse: @unchecked Sendable {
    private let handle: OpaquePointer?
    private let status: UInt32

    /// Makes the library's form of `response`; a stream body needs its `stream`.
    init(_ response: Response, stream: StreamBody?) {
        status = Self.isFinal(response.status) ? UInt32(response.status.code) : 500
        unsafe handle = unsafe Self.make(response, stream: stream)
        guard let handle = unsafe handle else { return }
        if let stream, stream.isOmitted {
            // libmicrohttpd 0.9.75 sends the end of a chunked body even to HEAD, where the client takes it
            // for the start of the next response. Unchunked, the connection closes instead.
            unsafe mhd_shim_never_chunked(handle)
        }
        for field in response.headers where !field.name.isFraming {
            _ = unsafe MHD_add_response_header(handle, field.name.rawName, field.value)
        }
        for field in HTTPFields.common where !response.headers.contains(field.name) {
            _ = unsafe MHD_add_response_header(handle, field.name.rawName, field.value)
        }
    }

    deinit {
        if let handle = unsafe handle { unsafe MHD_destroy_response(handle) }
    }

    /// Starts sending on `connection`; only from its access callback. libmicrohttpd holds a reference of its
    /// own until the client has it.
    func queue(on connection: OpaquePointer) -> Bool {
        guard let handle = unsafe handle else { return false }
        return unsafe MHD_queue_response(connection, status, handle) == .YES
    }

    private static func isFinal(_ status: HTTPResponse.Status) -> Bool { (200...599).contains(status.code) }

    private static func make(_ response: Response, stream: StreamBody?) -> OpaquePointer? {
        if response.status == .notModified { return unsafe bodiless(length: announcedLength(of: response)) }
        switch response.body {
        case .none:
            return unsafe MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes {
                let start = unsafe UnsafeMutableRawPointer(mutating: $0.baseAddress)
                return unsafe MHD_create_response_from_buffer($0.count, start, .RESPMEM_MUST_COPY)
            }
        case .file(let file, let range):
            return unsafe mapped(file, range.clamped(to: 0..<file.size))
        case .stream(let length, _):
            guard let stream else { return nil }
            return unsafe retaining(stream) {
                unsafe MHD_create_response_from_callback(
                    length ?? mhd_shim_size_unknown, max(stream.blockSize, 1), readStream, $0, releaseStream)
            }
        }
    }

    private static func mapped(_ file: MappedFile, _ range: Range<UInt64>) -> OpaquePointer? {
        guard !range.isEmpty else {
            return unsafe MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        }
        return unsafe retaining(file) {
            unsafe MHD_create_response_from_buffer_with_free_callback_cls(
                range.count, file.pointer(at: range.lowerBound), releaseMapping, $0)
        }
    }

    /// Makes a response that keeps an object until libmicrohttpd frees the response. Returns `nil` if memory is short.
    private static func retaining(
        _ object: some AnyObject, _ make: (UnsafeMutableRawPointer) -> OpaquePointer?
    ) -> OpaquePointer? {
        let owned = unsafe Unmanaged.passRetained(object)
        let handle = unsafe make(owned.toOpaque())
        if unsafe handle == nil { unsafe owned.release() }
        return unsafe handle
    }

    /// A 304, whose Content-Length describes a body that is never sent. Without a known length there is none (RFC
    /// 9110 §8.6), and because libmicrohttpd 0.9.75 would then send an empty chunk, the connection closes.
    private static func bodiless(length: UInt64?) -> OpaquePointer? {
        let handle = unsafe MHD_create_response_from_callback(
            length ?? mhd_shim_size_unknown, 1, { _, _, _, _ in mhd_shim_end_with_error }, nil, nil)
        if length == nil, let handle = unsafe handle { unsafe mhd_shim_never_chunked(handle) }
        return unsafe handle
    }

    private static func announcedLength(of response: Response) -> UInt64? {
        response.headers[.contentLength].flatMap { UInt64($0) }
    }
}
