import Locking
import TestSupport
import Testing

@testable import AssetStore

/// Hosts that have asked to be left alone for a while.
struct HostHoldTests {
    private let holds = HostHolds()
    private let reason = StoreError(.status(429, retryAfter: 7))

    @Test("the longest time that a host has asked for holds, for it alone")
    func longest() {
        holds.hold("http://a:1/x?y", for: reason, seconds: 100)
        holds.hold("http://a:1/z", for: reason, seconds: 10)
        let seconds = holds.wait(for: "http://a:1/other")?.seconds ?? 0
        #expect(seconds > 10 && seconds <= 100)
        #expect(holds.wait(for: "http://a:2/x")?.seconds == nil)
        #expect(holds.wait(for: "http://b:1/x")?.seconds == nil)
    }

    @Test("a time that is over is forgotten")
    func over() {
        holds.hold("http://a/x", for: reason, seconds: 0)
        #expect(holds.wait(for: "http://a/x")?.seconds == nil)
    }

    @Test("other segments of a host wait, too")
    func others() async throws {
        let isOver = Lock(false)
        let (waits, noter) = AsyncStream.makeStream(of: Double.self)
        try await StoreFixture.run {
            $0.pause = { seconds in
                noter.yield(seconds)
                while !isOver.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
            }
        } _: { fixture async throws in
            fixture.origin.serveStream("/v", count: 3)
            fixture.origin.fault("/v/s0.ts", .status(503, headers: ["Retry-After: 700"]), times: 1)
            let token = try await fixture.add("/v/index.m3u8")
            var iterator = waits.makeAsyncIterator()
            #expect(await iterator.next() == 700)
            let other = await iterator.next() ?? 0
            #expect(other > 0 && other < 700)
            #expect(fixture.origin.paths == ["/v/index.m3u8", "/v/s0.ts"])
            isOver.withLock { $0 = true }
            await fixture.store.untilSettled(token)
            #expect(try fixture.store.reader.requireAsset(token).state == .complete)
        }
    }
}
