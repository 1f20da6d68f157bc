internal import CMicroHTTPD

/// The reading of a body source for one response, driven by libmicrohttpd's reader callback.
///
/// `@unchecked Sendable`: after it was made, only the thread that serves the connection uses it.
final class StreamBody: @unchecked Sendable {
    private let source: any BodySource
    private let length: UInt64?
    private let exchange: Exchange
    private let wake: @Sendable () -> Void
    private var isComplete: Bool

    init(_ source: any BodySource, length: UInt64?, exchange: Exchange) {
        self.source = source
        self.length = length
        self.exchange = exchange
        isComplete = length == 0
        wake = { exchange.wake() }
    }

    /// Whether the response has neither content nor a length: a HEAD request for content of unknown length.
    var isOmitted: Bool { length == nil && exchange.isHead }

    /// Bytes read at once into the library's buffer.
    var blockSize: Int { source.blockSize }

    /// Fills `buffer` with the bytes at `offset`; returns the count, 0 when the connection rests, or one of the
    /// library's two ends.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
        if isComplete { return mhd_shim_end_of_stream }
        while exchange.willRead() {
            var writer = unsafe BodyWriter(buffer)
            let step = source.read(into: &writer, at: offset, wake: wake)
            if case .fail = step { break }
            if case .end = step { isComplete = length == nil || offset + UInt64(writer.count) == length }
            if writer.count > 0 { return progress(writer.count, at: offset) }
            switch step {
            case .end: return isComplete ? mhd_shim_end_of_stream : fail()
            case .wait(let limit, let expiry):
                if exchange.rest(limit: limit, then: expiry) { return 0 }
            case .bytes, .fail: return fail()
            }
        }
        return fail()
    }

    /// libmicrohttpd needs the reader no more.
    func release() {
        if !isComplete { source.cancelled() }
    }

    /// Breaks the connection. If the end of the connection marks the end of the body, as for HTTP/1.0 without a
    /// length, only a reset tells that the body is incomplete (RFC 9112 §6.3, §8). libmicrohttpd 0.9.75 cleans up
    /// after a failed reader only when something happens on the socket; a reset makes this happen.
    private func fail() -> Int {
        if length == nil, !exchange.takesInterim {
            exchange.connection.reset()
        } else {
            exchange.connection.disconnect()
        }
        return mhd_shim_end_with_error
    }

    private func progress(_ count: Int, at offset: UInt64) -> Int {
        if offset + UInt64(count) == length { isComplete = true }
        return count
    }
}
