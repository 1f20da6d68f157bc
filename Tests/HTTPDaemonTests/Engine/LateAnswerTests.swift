import HTTPTypes
import Locking
import TestSupport
import Testing

@testable import HTTPDaemon

@Suite("A request whose answer is begun when the daemon stops", .timeLimit(.minutes(2)))
struct LateAnswerTests {
    private let state = Lock((isResting: false, isCancelled: false, isAsked: false, hasWorked: false))
    private let cancelled = Condition()

    /// Waits for its cancellation, which comes after the daemon admits no other deferred answer.
    private func first() -> Answer {
        .later(deadline: .seconds(600)) { [state, cancelled] _ in
            state.withLock { $0.isResting = true }
            try? await Task.sleep(for: .seconds(600))
            state.withLock { $0.isCancelled = true }
            cancelled.signal()
            return Response(status: .ok)
        }
    }

    /// Is deferred only when the daemon admits it no more.
    private func second() -> Answer {
        state.withLock { $0.isAsked = true }
        let patience = MonotonicTime.now + .seconds(60)
        state.wait(on: cancelled) { $0.isCancelled ? nil : patience }
        return .later(deadline: .seconds(600)) { [state] _ in
            state.withLock { $0.hasWorked = true }
            return Response(status: .ok)
        }
    }

    @Test("gets a 503, and the work for it is not begun")
    func late() async throws {
        let server = try TestServer { $0.path == "/first" ? first() : second() }
        async let resting = server.get("/first")
        try await eventually { state.withLock { $0.isResting } }
        // It does not ask for the end of its connection.
        async let asked = server.exchange("GET /second HTTP/1.1\r\nHost: a\r\n\r\n")
        try await eventually { state.withLock { $0.isAsked } }
        await server.daemon.stop(grace: .seconds(20))
        #expect(try await resting.status == 503)
        let reply = try await asked
        #expect(reply.status == 503)
        #expect(reply.header("Connection") == "close")
        #expect(reply.text.contains("The server is stopping."))
        let hasWorked = state.withLock { $0.hasWorked }
        #expect(!hasWorked)
    }
}
