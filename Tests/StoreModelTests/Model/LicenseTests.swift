import ModelTestSupport
import Testing

@testable import StoreModel

@Suite("A license")
struct LicenseTests {
    private let start = Timestamp(milliseconds: 1_700_000_000_000)
    private func after(_ seconds: Int64) -> Timestamp { start.adding(seconds: seconds) }

    @Test("that was purchased never ends")
    func purchase() {
        let license = License(LicenseTerms(), at: start)
        #expect(license.verdict(at: after(LicenseTerms.limits.upperBound)) == .valid)
        #expect(license.terms.kind == .purchase)
    }

    @Test("that was rented ends to the millisecond, counted from the request")
    func rental() {
        let license = License(LicenseTerms(rental: 60), at: start).played(at: after(30))
        #expect(license.verdict(at: Timestamp(milliseconds: start.milliseconds + 59_999)) == .valid)
        #expect(license.verdict(at: after(60)) == .expired)
        #expect(license.expiresAt == after(60))
    }

    @Test("with a play window ends that long after the first play, and not before it")
    func window() {
        let unplayed = License(LicenseTerms(playWindow: 10), at: start)
        #expect(unplayed.verdict(at: after(1_000_000)) == .valid)
        let played = unplayed.played(at: after(100)).played(at: after(105))
        #expect(played.firstPlayedAt == after(100))
        #expect(played.verdict(at: after(109)) == .valid)
        #expect(played.verdict(at: after(110)) == .expired)
    }

    @Test("with both limits ends with the earlier one", arguments: [(60, 10, 40), (60, 100, 60)])
    func both(rental: Int64, window: Int64, end: Int64) {
        let license = License(LicenseTerms(rental: rental, playWindow: window), at: start)
            .played(at: after(30))
        #expect(license.verdict(at: after(end - 1)) == .valid)
        #expect(license.verdict(at: after(end)) == .expired)
        #expect(license.end == after(end))
    }

    @Test("that was renewed counts from the renewal, and its play window from the next play")
    func renewal() {
        let license = License(LicenseTerms(rental: 10, playWindow: 5), at: start).played(at: after(1))
            .renewed(LicenseTerms(rental: 10, playWindow: 5), at: after(100))
        #expect(license.verdict(at: after(109)) == .valid)
        #expect(license.firstPlayedAt == nil)
        #expect(license.verdict(at: after(110)) == .expired)
    }

    @Test("that was revoked stays so until it is renewed")
    func revocation() {
        let revoked = License(LicenseTerms(), at: start).revoked(at: after(1))
        #expect(revoked.verdict(at: after(2)) == .revoked)
        #expect(revoked.renewed(LicenseTerms(), at: after(3)).verdict(at: after(4)) == .valid)
    }

    @Test("has limits between a second and a hundred years")
    func limits() {
        let terms = LicenseTerms(rental: -5, playWindow: .max)
        #expect(terms.rental == 1)
        #expect(License(terms, at: start).played(at: start).playExpiresAt != nil)
        #expect(terms.playWindow == LicenseTerms.limits.upperBound)
    }

    @Test("tells three kinds of end apart: a time, never, and none at all")
    func expiry() {
        let moment = Moment(wall: after(5), trusted: after(5))
        func status(_ terms: LicenseTerms, missing: Bool = false) -> LicenseStatus {
            LicenseStatus(License(terms, at: start), keysMissing: missing, at: moment)
        }
        #expect(status(LicenseTerms(rental: 60)).expiry == .at(after(60)))
        #expect(status(LicenseTerms()).expiry == .never)
        #expect(status(LicenseTerms(rental: 60), missing: true).expiry == .unknown)
        #expect(status(LicenseTerms(rental: 2)).state == .expired)
        #expect(status(LicenseTerms(rental: 2), missing: true).state == .missing)
        #expect(LicenseStatus.none.expiry == .never)
    }

    @Test("continues from the latest time of a wrong clock, until the right one reaches that time")
    func floor() {
        var license = License(LicenseTerms(), at: start)
        #expect(license.reckoned(after(50)) == after(50))
        license.floor = after(100)
        #expect(license.reckoned(after(50)) == after(100))
        license.floorReadAt = after(40)
        // Ten seconds have passed since the clock was put right; then it is set back once more.
        #expect(license.reckoned(after(50)) == after(110) && license.reckoned(after(40)) == after(100))
        #expect(license.reckoned(after(30)) == after(100))
        #expect(license.reckoned(after(100)) == after(100) && license.reckoned(after(101)) == after(101))
    }

    @Test("that was rented ends by the latest time of a wrong clock, though the right one is before it")
    func rentalWithFloor() {
        var license = License(LicenseTerms(rental: 105), at: start)
        (license.floor, license.floorReadAt) = (after(100), after(40))
        #expect(license.verdict(at: after(44)) == .valid && license.verdict(at: after(45)) == .expired)
        #expect(license.played(at: after(44)).firstPlayedAt == after(104))
    }

    @Test("takes a clock for set back when it differs by more than clocks do by themselves")
    func clock() {
        func isBehind(_ milliseconds: Int64) -> Bool {
            Moment(wall: start, trusted: start.adding(milliseconds: milliseconds)).isBehind
        }
        #expect(!isBehind(-600_000) && !isBehind(0) && !isBehind(Moment.tolerance))
        #expect(isBehind(Moment.tolerance + 1))
    }
}
