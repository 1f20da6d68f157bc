import TestSupport
import Testing

@testable import Transfers

@Suite("Rate limits")
struct RateLimitTests {
    @Test("a full bucket gives a tenth of a second's bytes, then what time brings")
    func bucket() {
        var bucket = TokenBucket(rate: 1_000_000, now: 0)
        #expect(!bucket.isEmpty)
        bucket.take(100_000)
        #expect(bucket.isEmpty)
        bucket.refill(now: 10_000_000)
        #expect(!bucket.isEmpty)
        bucket.take(10_000)
        #expect(bucket.isEmpty)
    }

    @Test("an overdraft is waited off")
    func debt() {
        var bucket = TokenBucket(rate: 1_000, now: 0)
        bucket.take(600)
        #expect(bucket.isEmpty)
        #expect(bucket.wait == 501)
        bucket.refill(now: 490_000_000)
        #expect(bucket.isEmpty)
        bucket.refill(now: 510_000_000)
        #expect(!bucket.isEmpty)
    }

    @Test("a long pause saves up no more than a tenth of a second")
    func noSaving() {
        var bucket = TokenBucket(rate: 1_000, now: 0)
        bucket.refill(now: 60_000_000_000)
        bucket.take(100)
        #expect(bucket.isEmpty)
    }

    @Test("without a rate nothing waits, and a rate set later counts from then")
    func unlimited() {
        var bucket = TokenBucket(rate: nil, now: 0)
        bucket.take(1_000_000_000)
        #expect(!bucket.isEmpty)
        bucket.setRate(1_000, now: 5)
        bucket.take(1_000)
        #expect(bucket.isEmpty)
        bucket.setRate(nil, now: 6)
        #expect(!bucket.isEmpty)
    }

    @Test("transfers under a total limit pause, go on, and arrive whole")
    func total() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.totalRateLimit = 4_000_000
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(300_000))
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<6 { group.addTask { try await fixture.loop.fetch(fixture.request("/a.ts")).1 } }
            for try await body in group { #expect(body == OriginResource.pattern(300_000)) }
        }
    }

    @Test("lifting the total limit lets paused transfers go on at once")
    func lifted() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.totalRateLimit = 1
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(300_000))
        let task = Task { try await fixture.loop.fetch(fixture.request("/a.ts")).1 }
        #expect(await fixture.origin.waitForRequests(1))
        fixture.loop.totalRateLimit = nil
        #expect(try await task.value.count == 300_000)
        #expect(fixture.loop.totalRateLimit == nil)
    }

    @Test("a transfer's own limit leaves it whole and is no stall")
    func own() async throws {
        let fixture = try Fixture()
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(100_000))
        var request = fixture.request("/a.ts")
        request.rateLimit = 400_000
        #expect(try await fixture.loop.fetch(request).1 == OriginResource.pattern(100_000))
    }
}
