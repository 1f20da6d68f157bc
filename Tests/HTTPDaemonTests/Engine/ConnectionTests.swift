import Glibc
import Locking
import Testing

@testable import HTTPDaemon

/// A connection between two sockets of this process.
@Suite("The socket of a connection")
struct ConnectionTests {
    private let limits = HTTPDaemonConfiguration()
    private let tooSlow = Response(problem: .tooSlow)

    /// Runs `body` with a connection and the descriptor of its client's end.
    private func withConnection(_ body: (_ connection: Connection, _ client: Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw RawClient.Failure(errno: errno) }
        let (server, client) = (ends[0], ends[1])
        defer {
            close(server)
            close(client)
        }
        try body(Connection(descriptor: server, peer: "::1"), client)
    }

    /// What has come to `descriptor` up to now.
    private func received(_ descriptor: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor, &buffer, 4096, Int32(MSG_DONTWAIT))
        return Array(buffer.prefix(max(0, count)))
    }

    /// Sends so much that the kernel has no room for more.
    private func fill(_ descriptor: Int32) {
        let block = [UInt8](repeating: 0, count: 4096)
        while unsafe send(descriptor, block, block.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) > 0 {}
    }

    private func state(of descriptor: Int32) -> Connection.PeerState {
        Connection(descriptor: descriptor, peer: "").peerState
    }

    @Test("tells the client that its request is being processed (RFC 2518, section 10.1)")
    func processing() throws {
        try withConnection { connection, client in
            #expect(connection.sayProcessing())
            #expect(received(client) == Array("HTTP/1.1 102 Processing\r\n\r\n".utf8))
        }
    }

    @Test("is not given up while the client has earlier answers to read")
    func full() throws {
        try withConnection { connection, _ in
            fill(connection.descriptor)
            #expect(connection.sayProcessing())
        }
    }

    @Test("is given up when the client has left")
    func left() throws {
        try withConnection { connection, client in
            shutdown(client, Int32(SHUT_RDWR))
            #expect(!connection.sayProcessing())
        }
    }

    @Test("tells a client that sends no more from one that has left")
    func peerState() throws {
        try withConnection { connection, client in
            #expect(connection.peerState == .open)
            shutdown(client, Int32(SHUT_WR))
            #expect(connection.peerState == .sendsNoMore)
            shutdown(client, Int32(SHUT_RDWR))
            #expect(connection.peerState == .gone)
        }
    }

    @Test("is shut down, without an answer, if no request comes in time")
    func silent() throws {
        try withConnection { connection, client in
            connection.check(at: MonotonicTime.now + .seconds(3600), limits: limits, tooSlow: tooSlow)
            #expect(received(client) == [])
            #expect(state(of: client) == .gone)
        }
    }

    @Test("is shut down behind a 408 if a content does not end in time")
    func slowContent() throws {
        try withConnection { connection, client in
            connection.state.withLock { $0.watch.headEnded() }
            let start = MonotonicTime.now
            for seconds in [0, 29] {
                connection.check(at: start + .seconds(seconds), limits: limits, tooSlow: tooSlow)
            }
            #expect(received(client) == [])
            #expect(state(of: client) == .open)
            connection.check(at: start + .seconds(30), limits: limits, tooSlow: tooSlow)
            let reply = Reply(received(client))
            #expect(reply.statusLine == "HTTP/1.1 408 Request Timeout")
            #expect(reply.header("Content-Length") == "\(reply.body.count)")
            #expect(state(of: client) == .gone)
        }
    }

    @Test("is left alone while an answer is made")
    func answering() throws {
        try withConnection { connection, client in
            connection.state.withLock { $0.watch.bodyEnded() }
            connection.check(at: MonotonicTime.now + .seconds(3600), limits: limits, tooSlow: tooSlow)
            #expect(state(of: client) == .open)
        }
    }

    @Test("is left alone once it is closed: its descriptor may be that of another connection")
    func closed() throws {
        try withConnection { connection, client in
            let watch = Watch(limits: limits, tooSlow: tooSlow)
            watch.opened(connection)
            #expect(watch.connectionCount == 1)
            watch.closed(connection)
            #expect(watch.connectionCount == 0)
            connection.check(at: MonotonicTime.now + .seconds(3600), limits: limits, tooSlow: tooSlow)
            #expect(state(of: client) == .open)
        }
    }
}
