internal import CMicroHTTPD
internal import Glibc
internal import Locking

/// One client's connection, from its acceptance until libmicrohttpd has closed it.
final class Connection: Sendable {
    /// Guards everything about this connection that more than one thread uses.
    struct State {
        var watch: HeadWatch
        /// The header section of the last request, if the next one may be the same.
        var fields: AdmittedFields?
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
    ///
    /// - Parameter tooSlow: the response for a client that has begun a request.
    func check(at now: MonotonicTime, limits: HTTPDaemonConfiguration, tooSlow: Response) {
        state.withLock { state in
            guard !state.isClosed, !state.watch.isAnswering else { return }
            let facts = socketFacts
            let verdict = state.watch.check(
                at: now, bytesReceived: facts.bytesReceived, isPeerClosed: facts.isPeerClosed,
                headTimeout: limits.headTimeout, bodyTimeout: limits.bodyTimeout)
            switch verdict {
            case .fine: return
            case .silent: break
            case .tooSlow: send(tooSlow.lastOnItsConnection(at: HTTPDate(seconds: Int64(time(nil)))))
            }
            // Still open: it is closed only after `isClosed` was set under this lock.
            disconnect()
        }
    }

    /// Ends the connection after what has been sent. Only while the descriptor is known to be open.
    func disconnect() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Ends the connection with a reset, which no client takes for the end of the response. Only while the descriptor
    /// is known to be open.
    func reset() {
        var nothing = sockaddr()
        nothing.sa_family = sa_family_t(AF_UNSPEC)
        // Takes a TCP connection apart at once (connect(2)). SO_LINGER would do so at its closing, before which
        // libmicrohttpd shuts it down: that looks like a plain end.
        _ = unsafe connect(descriptor, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// The state of the client's end of the connection.
    enum PeerState {
        case open
        /// The client has closed its sending side: it has left, or waits for the answer to its last request. The next
        /// write tells which, since a client that has left answers with a reset.
        case sendsNoMore
        case gone
    }

    /// The state of the client. Only while the descriptor is known to be open.
    var peerState: PeerState {
        var entry = pollfd(fd: descriptor, events: Self.peerClosed, revents: 0)
        guard unsafe poll(&entry, 1, 0) > 0 else { return .open }
        return entry.revents == Self.peerClosed ? .sendsNoMore : .gone
    }

    /// Sends 102 (Processing) to a client that understands it, once the kernel has all earlier answers.
    ///
    /// - Returns: false when the client is known to have closed the connection.
    func sayProcessing() -> Bool {
        let line = Array("HTTP/1.1 102 Processing\r\n\r\n".utf8)
        let sent = unsafe Glibc.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        // If the kernel has no space for it, the client still has earlier answers to read.
        return sent == line.count || sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    /// POLLRDHUP, which the Glibc module leaves out.
    private static let peerClosed: Int16 = 0x2000

    /// The facts of TCP_INFO: `tcpi_state`, the first byte, is 8 (TCP_CLOSE_WAIT) once the client has closed its
    /// side. `tcpi_bytes_received` (RFC 4898) begins at byte 128 of the kernel's structure, which glibc's leaves out.
    private var socketFacts: (bytesReceived: UInt64, isPeerClosed: Bool) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 136, alignment: 8) { buffer in
            var length = socklen_t(buffer.count)
            let failed = unsafe getsockopt(
                descriptor, Int32(IPPROTO_TCP), TCP_INFO, buffer.baseAddress, &length)
            guard failed == 0, length == 136 else { return (0, false) }
            return unsafe (buffer.load(fromByteOffset: 128, as: UInt64.self), buffer[0] == 8)
        }
    }

    /// libmicrohttpd sends nothing while it reads, so this can't get into another response.
    private func send(_ response: [UInt8]) {
        _ = unsafe Glibc.send(descriptor, response, response.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
}
