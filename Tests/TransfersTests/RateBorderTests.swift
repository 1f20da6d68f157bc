import Testing

@testable import Transfers

@Suite("Accounts of rates")
struct RateAccountTests {
    private func accounts(
        total: UInt64? = nil, perHost: UInt64? = nil, groups: [String: UInt64] = [:]
    ) -> RateAccounts {
        var limits = RateLimits()
        (limits.total, limits.perHost, limits.groups) = (total, perHost, groups)
        return RateAccounts(limits)
    }

    private func payer(_ host: String, _ group: String? = nil) -> RatePayer {
        RatePayer(host: host, group: group)
    }

    @Test("are 256 at most as long as there are full ones; those with a debt are kept")
    func full() {
        var accounts = accounts(perHost: 1_000)
        accounts.take(5_000, payer("debtor"), isUrgent: false, now: 0)
        for number in 1...255 { accounts.take(10, payer("h\(number)"), isUrgent: false, now: 0) }
        #expect(accounts.count == 256)
        let second: UInt64 = 1_000_000_000
        accounts.take(10, payer("new"), isUrgent: false, now: second)
        #expect(accounts.count == 2)
        let (debtor, new) = (
            accounts.mayReceive(payer("debtor"), now: second), accounts.mayReceive(payer("new"), now: second)
        )
        #expect(!debtor && new)
    }

    @Test("that are not full are kept, however many they are")
    func busy() {
        var accounts = accounts(perHost: 1_000)
        for number in 0..<300 { accounts.take(10, payer("h\(number)"), isUrgent: false, now: 0) }
        #expect(accounts.count == 300)
    }

    @Test("hold a transfer back for as long as the strictest of its limits asks")
    func strictest() {
        var both = accounts(total: 1_000, perHost: 1_000)
        both.take(600, payer("a"), isUrgent: false, now: 0)
        both.take(200, payer("b"), isUrgent: false, now: 0)
        #expect(both.wait(payer("a")) == 701 && both.wait(payer("b")) == 701)
        var host = accounts(total: 10_000, perHost: 1_000)
        host.take(600, payer("a"), isUrgent: false, now: 0)
        #expect(host.wait(payer("a")) == 501 && host.wait(payer("b")) == 5)
        let (a, b) = (host.mayReceive(payer("a"), now: 0), host.mayReceive(payer("b"), now: 0))
        #expect(!a && b)
        #expect(accounts().wait(payer("a")) == 0)
    }

    @Test("name the lowest rate of a transfer, and that of a group to its members alone")
    func lowest() {
        let all = accounts(total: 500, perHost: 300, groups: ["g": 200])
        #expect(all.lowestRate(for: payer("a", "g")) == 200)
        #expect(all.lowestRate(for: payer("a", "other")) == 300)
        #expect(all.lowestRate(for: payer("a")) == 300)
        #expect(accounts(groups: ["g": 200]).lowestRate(for: payer("a")) == nil)
    }
}

@Suite("A limiter of rates")
struct RateLimiterTests {
    private let limiter: RateLimiter
    private let transfer: Transfer

    /// At a byte a second, a debt of a thousand bytes outlasts a test.
    init() throws {
        var limits = RateLimits()
        limits.total = 1
        limiter = RateLimiter(limits)
        transfer = try .unstarted()
    }

    @Test("pauses a transfer after a debt, and lets it go once when the limit is lifted")
    func lifted() {
        #expect(limiter.mayReceive(transfer, isEncoded: false) && limiter.wait == nil)
        limiter.take(1_000, transfer)
        #expect(!limiter.mayReceive(transfer, isEncoded: false))
        #expect(limiter.paused.count == 1 && limiter.wait == 1_000)
        #expect(limiter.resumable().isEmpty)
        #expect(limiter.paused.count == 1)
        limiter.setLimits(RateLimits())
        let free = limiter.resumable()
        #expect(free.count == 1 && free.first === transfer)
        #expect(limiter.paused.isEmpty && limiter.wait == nil)
        #expect(limiter.resumable().isEmpty)
    }

    @Test("never pauses a decoded body, but counts its bytes")
    func encoded() {
        limiter.take(1_000, transfer)
        #expect(limiter.mayReceive(transfer, isEncoded: true) && limiter.paused.isEmpty)
        #expect(!limiter.mayReceive(transfer, isEncoded: false))
    }

    @Test("forgets one paused transfer, and keeps the others")
    func forgotten() throws {
        let other = try Transfer.unstarted()
        limiter.take(1_000, transfer)
        for paused in [transfer, other] {
            let mayReceive = limiter.mayReceive(paused, isEncoded: false)
            #expect(!mayReceive)
        }
        limiter.forget(transfer)
        #expect(limiter.paused.count == 1 && limiter.paused.first === other)
        limiter.forget(other)
        #expect(limiter.paused.isEmpty && limiter.wait == nil)
    }

    @Test("waits for the transfer that may go on first")
    func first() throws {
        var limits = RateLimits()
        limits.groups = ["slow": 1, "fast": 1_000_000]
        limiter.setLimits(limits)
        for group in ["slow", "fast", "slow"] {
            var request = TransferRequest(url: "http://media.example/a.ts")
            request.rateGroup = group
            let member = try Transfer.unstarted(request)
            // More than nine tenths of a second of the fast group.
            limiter.take(1_000_000, member)
            #expect(!limiter.mayReceive(member, isEncoded: false))
            let isShort = try #require(limiter.wait) < 1_000
            #expect(isShort == (limiter.paused.count > 1))
        }
    }

    @Test("has a transfer without a limit receive whatever it has received before")
    func unlimited() {
        limiter.setLimits(RateLimits())
        limiter.take(1_000_000, transfer)
        #expect(limiter.mayReceive(transfer, isEncoded: false) && limiter.rate(for: transfer) == nil)
    }
}
