import Testing

@testable import Downloads
@testable import StoreCatalog
@testable import StoreModel

@Suite("The outcome of a run")
struct RunOutcomeTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 1))
    private let now = Timestamp(milliseconds: 5000)
    private let refusal = StoreError(.status(403, retryAfter: nil))

    @Test("lets an asset go on that waits for something or was refused, and no other one")
    func goesOn() {
        let refused = RunOutcome.refused(AddressRefreshes.Refusal(reason: refusal, isFinal: true))
        let outcomes = [RunOutcome.complete, .queued(.waits(.disk)), refused, .failed(refusal)]
        #expect(outcomes.map(\.action) == [.finish, .yield, .yield, .fail])
        #expect(outcomes.map(\.goesOn) == [false, true, true, false])
        let details = outcomes.map { $0.detail(of: token, now: now) }
        #expect(details.map(\.reason) == [nil, .waits(.disk), .link, .failed(.auth)])
        #expect(details.map { $0.failure != nil } == [false, false, false, true])
        #expect(details.allSatisfy { $0.now == now })
    }

    @Test("is kept while the catalog can't take it, with the run's own error if there is one")
    func unwritten() {
        var ends = UnwrittenEnds()
        let full = StoreError(.diskFull("/store"))
        #expect(ends.isEmpty && ends.failure(of: token) == nil)
        ends.keep(token, nil, because: full)
        #expect(!ends.isEmpty && ends.all.map(\.token) == [token])
        #expect(ends.all.allSatisfy { $0.failure == nil } && ends.failure(of: token)?.errorClass == .disk)
        ends.keep(token, refusal, because: full)
        #expect(ends.all.map { $0.failure?.errorClass } == [.auth])
        #expect(ends.failure(of: token)?.errorClass == .auth)
        ends.forget(token)
        #expect(ends.isEmpty && ends.failure(of: token) == nil)
    }
}

@Suite("The second tries of units that the disk did not take")
struct DiskRetriesTests {
    @Test("make a round of their own only after a folder was lost")
    func rounds() {
        let retries = DiskRetries()
        #expect(!retries.hasLostFolder && !retries.ofNextRound.hasLostFolder)
    }
}

@Suite("The remedy for lost units of renditions that an asset can do without")
struct HealingTests {
    private let healing = Healing()
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    private func setback(_ number: Int, _ status: Int) -> (unit: UnitID, reason: StoreError) {
        let unit = UnitID(rendition: "audio\(number)", kind: .segment, number: number)
        return (unit, StoreError(.status(status, retryAfter: nil), url: "http://o/\(number)"))
    }

    @Test("is a fresh address if any of them was refused, for these alone")
    func refused() {
        let reason = healing.ask(token, for: [setback(0, 503), setback(1, 403), setback(2, 401)])
        #expect(reason?.url == "http://o/1")
        #expect(healing.links.take(token) && !healing.outages.take(token))
        #expect(healing.links.mayHelp(token, setback(0, 503).unit))
        #expect(!healing.links.mayHelp(token, setback(1, 403).unit))
        #expect(!healing.links.mayHelp(token, setback(2, 401).unit))
    }

    @Test("is another try later if their origin could not give them")
    func later() {
        let reason = healing.ask(token, for: [setback(0, 503), setback(1, 500)])
        #expect(reason?.url == "http://o/0")
        #expect(!healing.links.take(token) && healing.outages.take(token))
        #expect(!healing.outages.mayPass(token, setback(1, 500).unit))
        healing.unitCame(token, "audio1")
        let next = UnitID(rendition: "audio1", kind: .segment, number: 7)
        #expect(healing.outages.mayPass(token, next))
    }

    @Test("is not needed without losses")
    func nothing() {
        let reason = healing.ask(token, for: [])
        #expect(reason == nil && !healing.links.take(token) && !healing.outages.take(token))
    }

    @Test("is forgotten when the next run may hope again")
    func forgotten() {
        _ = healing.ask(token, for: [setback(0, 403)])
        _ = healing.ask(token, for: [setback(1, 503)])
        healing.forget(token)
        #expect(!healing.links.take(token) && !healing.outages.take(token))
        #expect(healing.links.mayHelp(token, setback(0, 403).unit))
        #expect(healing.outages.mayPass(token, setback(1, 503).unit))
    }
}
