internal import Glibc

/// One client's connection, from its acceptance until libmicrohttpd has closed it.
final class Connection: Sendable {
    /// Guards everything about this connection that more than one thread uses.
    struct State {
        var watch: HeadWatch
        var isClosed = false
    }

    let descriptor: Int32
    let peer: String
    let state: Lock<State>

    init(descriptor: Int32, peer: String) {
        self.descriptor = descriptor
        self.peer = peer
        state = Lock(State(watch: HeadWatch(acceptedAt: .now)))
    }

    /// Ends the connection if the client is too slow to send its request; libmicrohttpd notices and cleans up.
    func check(at now: MonotonicTime, limits: HTTPDaemonConfiguration) {
        state.withLock { state in
            guard !state.isClosed, !state.watch.isAnswering else { return }
            let verdict = state.watch.check(
                at: now, bytesReceived: bytesReceived,
                headTimeout: limits.headTimeout, bodyTimeout: limits.bodyTimeout)
            switch verdict {
            case .fine: return
            case .silent: break
            case .tooSlow: sendRequestTimeout()
            }
            // Still open: it is closed only after `isClosed` was set under this lock.
            disconnect()
        }
    }

    /// Ends the connection after what has been sent. Only while the descriptor is known to be open.
    func disconnect() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Whether the client has closed its side. Only while the descriptor is known to be open.
    var isPeerGone: Bool {
        var entry = pollfd(fd: descriptor, events: Self.peerClosed, revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    /// POLLRDHUP, which the Glibc module leaves out.
    private static let peerClosed: Int16 = 0x2000

    /// `tcpi_bytes_received` of TCP_INFO (RFC 4898), which glibc's `tcp_info` leaves out: byte 128 of the
    /// kernel's structure.
    private var bytesReceived: UInt64 {
        unsafe withUnsafeTemporaryAllocation(byteCount: 136, alignment: 8) { buffer in
            var length = socklen_t(buffer.count)
            let failed = unsafe getsockopt(
                descriptor, Int32(IPPROTO_TCP), TCP_INFO, buffer.baseAddress, &length)
            guard failed == 0, length == 136 else { return 0 }
            return unsafe buffer.load(fromByteOffset: 128, as: UInt64.self)
        }
    }

    /// RFC 9110 §15.5.9. libmicrohttpd sends nothing while it reads, so this can't get into another response.
    private func sendRequestTimeout() {
        let text = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        _ = unsafe send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
}
