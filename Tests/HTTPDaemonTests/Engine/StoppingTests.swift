import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("A daemon that stops while a change is made", .timeLimit(.minutes(3)))
struct StoppingTests {
    private let state = Lock((begun: 0, isMade: false))
    private let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private let change = "DELETE /later HTTP/1.1\r\nHost: a\r\n\r\n"

    /// An answer that is ready when the change is made, or when nobody waits for it any more.
    private func later() -> Answer {
        .later(deadline: .seconds(600)) { [state] _ in
            state.withLock { $0.begun += 1 }
            while !Task.isCancelled, !state.withLock({ $0.isMade }) {
                try? await Task.sleep(for: .milliseconds(1))
            }
            return Response(status: .noContent)
        }
    }

    @Test("answers at once who changes nothing, and says that it stops")
    func unchanging() async throws {
        let server = try TestServer { _ in later() }
        async let changed = server.exchange(change)
        async let waiting = server.get("/later")
        try await eventually { state.withLock { $0.begun } == 2 }
        async let stopped: Void = server.daemon.stop(grace: .seconds(90))
        defer { state.withLock { $0.isMade = true } }
        let reply = try await waiting
        #expect(reply.status == 503)
        #expect(reply.text.contains("The server is stopping."))
        state.withLock { $0.isMade = true }
        #expect(try await changed.status == 204)
        await stopped
    }

    @Test("refuses requests of open connections, and other connections")
    func newcomers() async throws {
        let server = try TestServer { $0.path == "/" ? .text("ok") : later() }
        let client = try server.client()
        try client.send(get)
        let first = try await blocking { try client.response() }
        #expect(first.text == "ok")
        async let changed = server.exchange(change)
        async let waiting = server.get("/later")
        try await eventually { state.withLock { $0.begun } == 2 }
        async let stopped: Void = server.daemon.stop(grace: .seconds(90))
        defer { state.withLock { $0.isMade = true } }
        // It stops once it gives up an answer.
        #expect(try await waiting.status == 503)
        try client.send(get)
        let refused = try await blocking { try client.response() }
        #expect(refused.status == 503)
        #expect(refused.header("Connection") == "close")
        #expect(refused.text.contains("The server is stopping."))
        let other = try server.client()
        // Its connection may be closed before it has sent this.
        try? other.send(get)
        let received = try await blocking { try other.receiveAll() }
        #expect(received.isEmpty)
        state.withLock { $0.isMade = true }
        #expect(try await changed.status == 204)
        await stopped
    }
}
