import Locking
import TestSupport
import Testing

@testable import Transfers

@Suite("Cancelling, stopping and failing sinks")
struct EndingTests {
    let fixture: Fixture

    init() throws { fixture = try Fixture() }

    @Test("a cancelled task ends its running transfer")
    func cancelRunning() async {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(1_000))
        fixture.origin.fault("/a.ts", .stall(after: 500))
        let task = Task { await fixture.failure(of: fixture.request("/a.ts")) }
        #expect(await fixture.origin.waitForRequests(1))
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("an origin can write no more to a transfer that was cancelled: it would be sent for nothing")
    func reset() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(1_000))
        fixture.origin.fault("/a.ts", .stall(after: 500))
        let sink = CountingSink()
        let request = fixture.request("/a.ts")
        let task = Task { try await fixture.loop.perform(request, into: sink) }
        try await eventually { sink.count == 500 }
        task.cancel()
        await #expect(throws: TransferError.self) { try await task.value }
        fixture.origin.release()
        #expect(await fixture.origin.waitForNoConnections())
        #expect(fixture.origin.requests[0].bytesSent == 500)
    }

    @Test("a task cancelled before its transfer begins sends no request")
    func cancelFirst() async {
        fixture.origin.serve("/a.ts", bytes: [1])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await fixture.failure(of: fixture.request("/a.ts"))
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(fixture.origin.requests.isEmpty)
    }

    @Test("a waiting transfer can be cancelled, and its place goes to the next")
    func cancelWaiting() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.maximumTransfersPerHost = 1
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: [1])
        fixture.origin.fault("/a.ts", .holdHeader, times: 1)
        let running = Task { await fixture.failure(of: fixture.request("/a.ts")) }
        #expect(await fixture.origin.waitForRequests(1))
        let waiting = Task.immediate { await fixture.failure(of: fixture.request("/a.ts")) }
        // The loop obeys in order: once another origin's transfer is done, the waiting one is in the queue.
        let other = try Fixture()
        #expect(try await fixture.loop.fetch(other.request("/b.ts")).0.response.status == 404)
        let last = Task { await fixture.failure(of: fixture.request("/a.ts")) }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        fixture.origin.release()
        #expect(await running.value == nil)
        #expect(await last.value == nil)
        #expect(fixture.origin.requests.count == 2)
    }

    @Test("other transfers go on when one is cancelled")
    func othersGoOn() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(1_000))
        fixture.origin.fault("/a.ts", .stall(after: 500))
        let cancelled = Task { await fixture.failure(of: fixture.request("/a.ts")) }
        let other = Task { try await fixture.loop.fetch(fixture.request("/a.ts")).1 }
        #expect(await fixture.origin.waitForRequests(2))
        cancelled.cancel()
        #expect(await cancelled.value == .cancelled)
        fixture.origin.release()
        #expect(try await other.value == OriginResource.pattern(1_000))
    }

    @Test("stop ends running and waiting transfers with `stopped`, and later ones too")
    func stop() async {
        fixture.origin.fault("*", .holdHeader)
        let tasks = (0..<40).map { index in
            Task { await fixture.failure(of: fixture.request("/\(index).ts")) }
        }
        #expect(await fixture.origin.waitForRequests(16))
        await fixture.loop.stop()
        for task in tasks { #expect(await task.value == .stopped) }
        #expect(await fixture.failure(of: fixture.request("/late.ts")) == .stopped)
        await fixture.loop.stop()
    }

    @Test("a released loop and a stopped one close their connections")
    func connectionsClose() async throws {
        fixture.origin.serve("/a.ts", bytes: [1])
        _ = try await TransferLoop().fetch(fixture.request("/a.ts"))
        #expect(await fixture.origin.waitForNoConnections())
        _ = try await fixture.loop.fetch(fixture.request("/a.ts"))
        await fixture.loop.stop()
        #expect(await fixture.origin.waitForNoConnections())
        #expect(fixture.origin.connectionCount == 2)
    }

    @Test("cancelling at any moment ends every transfer, as cancelled or done")
    func cancelStorm() async throws {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(50_000))
        let tasks = (0..<300).map { _ in Task { await fixture.failure(of: fixture.request("/a.ts")) } }
        for (index, task) in tasks.enumerated() where index % 3 == 0 {
            task.cancel()
            await Task.yield()
        }
        for task in tasks {
            let code = await task.value
            #expect(code == nil || code == .cancelled)
        }
    }

    @Test("an interrupted transfer ends as cancelled, and the next one of its control is whole")
    func interrupted() async {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(1_000))
        fixture.origin.fault("/a.ts", .stall(after: 500), times: 1)
        let control = TransferControl()
        control.interrupt()
        var request = fixture.request("/a.ts")
        request.control = control
        let task = Task { [request] in await fixture.failure(of: request) }
        #expect(await fixture.origin.waitForRequests(1))
        control.interrupt()
        #expect(await task.value == .cancelled)
        control.interrupt()
        #expect(await fixture.failure(of: request) == nil)
    }

    @Test("a sink that cannot write a single byte ends the connection, too")
    func byteFails() async throws {
        fixture.origin.serve("/a.ts", bytes: [1])
        let sink = RecordingSink(capacity: 0)
        let error = await #expect(throws: TransferError.self) {
            try await fixture.loop.perform(fixture.request("/a.ts"), into: sink)
        }
        #expect(error?.code == .sink)
        let (next, _) = try await fixture.loop.fetch(fixture.request("/a.ts"))
        #expect(!next.connectionReused)
    }

    @Test("a sink that cannot write ends the transfer with its own error")
    func sinkFails() async {
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(500_000))
        let sink = RecordingSink(capacity: 100_000)
        let error = await #expect(throws: TransferError.self) {
            try await fixture.loop.perform(fixture.request("/a.ts"), into: sink)
        }
        #expect(error?.code == .sink)
        #expect(error?.underlying as? RecordingSink.Refusal == RecordingSink.Refusal())
        #expect(error?.isRetryable == false)
        #expect(sink.bytes == Array(OriginResource.pattern(500_000).prefix(sink.bytes.count)))
    }
}

/// Counts what it is given.
private final class CountingSink: TransferSink {
    private let received = Lock(0)
    var count: Int { received.withLock { $0 } }

    func begin(_ response: TransferResponse) -> TransferDecision { .accept }
    func receive(_ bytes: RawSpan) { received.withLock { $0 += bytes.byteCount } }
}
