import TestSupport
import Testing

@testable import Transfers

@Suite("Rate limits")
struct RateLimitTests {
    @Test("a full bucket gives the bytes of a tenth of a second, then bytes as time passes")
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

    @Test("an urgent transfer ignores the limit, and others wait for it, at most a second")
    func urgent() {
        var bucket = TokenBucket(rate: 1_000, now: 0)
        bucket.take(1_000_000, isUrgent: true)
        #expect(bucket.isEmpty)
        bucket.refill(now: 990_000_000)
        #expect(bucket.isEmpty)
        bucket.refill(now: 1_010_000_000)
        #expect(!bucket.isEmpty)
    }

    /// Bytes that payers get in some seconds, when each takes portions of 4 KiB as soon as it may.
    private func received(
        _ limits: RateLimits, _ payers: [RatePayer], seconds: UInt64, urgent: RatePayer? = nil
    ) -> [RatePayer: Int] {
        var accounts = RateAccounts(limits)
        var got: [RatePayer: Int] = [:]
        for tick in 0..<seconds * 200 {
            let now = tick * 5_000_000
            for payer in payers {
                for _ in 0..<8 where payer == urgent || accounts.mayReceive(payer, now: now) {
                    accounts.take(4096, payer, isUrgent: payer == urgent, now: now)
                    got[payer, default: 0] += 4096
                }
            }
        }
        return got
    }

    private static let payers = ["a", "b"].flatMap { host in
        ["x", "y"].map { RatePayer(host: host, group: $0 + host) }
    }

    @Test("transfers together keep to the total, those of an origin to its limit, those of a group to theirs")
    func allLimits() {
        var limits = RateLimits()
        (limits.total, limits.perHost, limits.groups) = (800_000, 500_000, ["xa": 100_000])
        let got = received(limits, Self.payers, seconds: 20)
        let total = got.values.reduce(0, +)
        #expect((15_200_000...16_200_000).contains(total))
        let group = got[Self.payers[0]] ?? 0
        #expect((1_800_000...2_050_000).contains(group))
        let host = group + (got[Self.payers[1]] ?? 0)
        #expect(host <= 10_100_000)
    }

    @Test("a limit of one group does not apply to others, and without a limit no transfer waits")
    func groups() {
        var limits = RateLimits()
        limits.groups = ["xa": 50_000]
        let got = received(limits, Self.payers, seconds: 4)
        #expect((got[Self.payers[0]] ?? 0) < 210_000)
        #expect((got[Self.payers[1]] ?? 0) > 20_000_000)
        #expect(RateAccounts(RateLimits()).lowestRate(for: Self.payers[0]) == nil)
        #expect(RateAccounts(limits).lowestRate(for: Self.payers[0]) == 50_000)
    }

    @Test("a segment that a player waits for is not held back, and others make room for it")
    func playersFirst() {
        var limits = RateLimits()
        limits.total = 400_000
        let urgent = Self.payers[3]
        let got = received(limits, Self.payers, seconds: 4, urgent: urgent)
        #expect((got[urgent] ?? 0) > 20_000_000)
        #expect(got.filter { $0.key != urgent }.values.reduce(0, +) < 100_000)
    }

    @Test("limits that are changed or lifted count from then on")
    func changed() {
        var accounts = RateAccounts(RateLimits())
        let payer = Self.payers[0]
        accounts.take(1_000_000, payer, isUrgent: false, now: 0)
        var limits = RateLimits()
        limits.perHost = 1_000
        accounts.setLimits(limits, now: 0)
        accounts.take(600, payer, isUrgent: false, now: 0)
        let isHeld = !accounts.mayReceive(payer, now: 0)
        #expect(isHeld && accounts.wait(payer) == 501)
        accounts.setLimits(RateLimits(), now: 0)
        let isFree = accounts.mayReceive(payer, now: 0)
        #expect(isFree)
    }

    @Test("accounts of origins that are not used any more do not pile up for ever")
    func manyHosts() {
        var limits = RateLimits()
        limits.perHost = 1_000
        var accounts = RateAccounts(limits)
        for number in 0..<5000 {
            let payer = RatePayer(host: "h\(number)", group: nil)
            accounts.take(10, payer, isUrgent: false, now: UInt64(number) * 1_000_000_000)
        }
        #expect(accounts.count <= 257)
    }

    @Test("transfers under a limit pause, go on, and arrive whole", arguments: [false, true])
    func total(isPerHost: Bool) async throws {
        var configuration = TransferLoopConfiguration()
        if isPerHost {
            configuration.rateLimits.perHost = 4_000_000
        } else {
            configuration.rateLimits.total = 4_000_000
        }
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(300_000))
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<6 { group.addTask { try await fixture.loop.fetch(fixture.request("/a.ts")).1 } }
            for try await body in group { #expect(body == OriginResource.pattern(300_000)) }
        }
    }

    @Test("lifting a limit lets paused transfers go on at once")
    func lifted() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.rateLimits.groups = ["g": 1]
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(300_000))
        var request = fixture.request("/a.ts")
        request.rateGroup = "g"
        let asked = request
        let task = Task { try await fixture.loop.fetch(asked).1 }
        #expect(await fixture.origin.waitForRequests(1))
        fixture.loop.limit { $0.groups["g"] = nil }
        #expect(try await task.value.count == 300_000)
        #expect(fixture.loop.rateLimits == RateLimits())
    }

    @Test("a paused transfer that becomes urgent continues at once")
    func becomesUrgent() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.rateLimits.total = 1
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(300_000))
        var request = fixture.request("/a.ts")
        let control = TransferControl()
        request.control = control
        let asked = request
        let task = Task { try await fixture.loop.fetch(asked).1 }
        #expect(await fixture.origin.waitForRequests(1))
        control.isUrgent = true
        #expect(try await task.value.count == 300_000)
    }

    @Test("a transfer after a slow one that was given up is whole")
    func afterOneGivenUp() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.rateLimits.total = 10_000
        let fixture = try Fixture(configuration)
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(300_000))
        let first = Task { await fixture.failure(of: fixture.request("/a.ts")) }
        #expect(await fixture.origin.waitForRequests(1))
        first.cancel()
        #expect(await first.value == .cancelled)
        fixture.loop.limit { $0.total = nil }
        #expect(try await fixture.loop.fetch(fixture.request("/a.ts")).1 == OriginResource.pattern(300_000))
    }

    @Test("a transfer after a slow one whose host has no address is whole")
    func afterOneWithoutAddress() async throws {
        var configuration = TransferLoopConfiguration()
        configuration.rateLimits.total = 10_000
        let fixture = try Fixture(configuration)
        let bytes = OriginResource.pattern(1_000_000)
        fixture.origin.serve("/a.ts", bytes: bytes)
        #expect(await fixture.failure(of: TransferRequest(url: "http://no-such-host.invalid/")) == .resolve)
        fixture.loop.limit { $0.total = nil }
        #expect(try await fixture.loop.fetch(fixture.request("/a.ts")).1 == bytes)
    }

    @Test("a low limit leaves a transfer whole and is no stall")
    func own() async throws {
        let fixture = try Fixture()
        fixture.origin.serve("/a.ts", bytes: OriginResource.pattern(100_000))
        var request = fixture.request("/a.ts")
        request.rateGroup = "g"
        fixture.loop.limit { $0.groups["g"] = 400_000 }
        #expect(try await fixture.loop.fetch(request).1 == OriginResource.pattern(100_000))
    }
}
