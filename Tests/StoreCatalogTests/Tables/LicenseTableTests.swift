import ModelTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("The licenses of a catalog")
struct LicenseTableTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private var licenses: LicenseTable { fixture.catalog.licenses }

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1, .complete)
    }

    private func insert(_ terms: LicenseTerms = LicenseTerms()) throws {
        try licenses.insert(License(terms, at: moment(0)), of: token)
    }

    private func revoke() throws {
        try licenses.changeLicense(of: token, .revoked, at: moment(5)) { $0.revoked(at: moment(5)) }
    }

    private func key(_ id: String, _ change: (inout KeyRecord) -> Void = { _ in }) -> KeyRecord {
        var key = KeyRecord(id: id, url: "https://host/k", sealed: [1])
        change(&key)
        return key
    }

    private func enter(_ keys: KeyRecord...) throws {
        try fixture.catalog.write(.asset(token)) { session in
            for key in keys { try RenditionTable.insert(key, of: token, session) }
        }
    }

    private var history: [LicenseEvent.Kind] {
        get throws { try licenses.licenseEvents(of: token).map(\.kind) }
    }

    @Test("are changed with a reason, and an asset without one has none to change")
    func change() throws {
        #expect(refusal { try revoke() }?.hasPrefix("notEncrypted") == true)
        try insert(LicenseTerms(rental: 10, playWindow: 5))
        try revoke()
        let license = try #require(try licenses.license(of: token))
        #expect(license.revokedAt == moment(5) && license.expiresAt == moment(10_000))
        #expect(try history == [.revoked, .requested])
        #expect(try licenses.all(of: [token, fixture.add(2)]).keys.map(\.self) == [token])
    }

    @Test("that were revoked are not renewed by keys that come later, and have no dates of renewal")
    func revoked() throws {
        try insert()
        try enter(key("k") { $0.renewAt = moment(9) })
        #expect(try licenses.renewals(limit: 5).map(\.at) == [moment(9)])
        try revoke()
        try licenses.changeLicense(
            of: token, .keysRenewed, at: moment(6), keys: [key("k") { $0.sealed = [2] }]
        ) { $0 }
        #expect(try history == [.revoked, .requested] && licenses.renewals(limit: 5).isEmpty)
        #expect(try fixture.catalog.renditions.keys(of: token).map(\.sealed) == [[1]])
    }

    @Test("are renewed by a key that the user adds, unless a server grants them")
    func setKey() throws {
        try licenses.setKey(key("given") { $0.identifier = [7] }, of: token, at: moment(1))
        #expect(try history == [.keyAdded] && licenses.license(of: token)?.terms == LicenseTerms())
        try revoke()
        try licenses.setKey(key("given") { $0.identifier = [7] }, of: token, at: moment(6))
        #expect(try licenses.license(of: token)?.revokedAt == nil && history.first == .renewed)
        try revoke()
        try enter(key("fetched"))
        try licenses.setKey(key("given") { $0.identifier = [7] }, of: token, at: moment(7))
        #expect(try licenses.license(of: token)?.revokedAt == moment(5) && history.first == .keyAdded)
    }

    @Test(
        "are granted here when no key was fetched",
        arguments: [
            (nil, nil, nil, false), (KeyRecord.identity, nil, nil, false), ("drm", nil, nil, true),
            ("drm", nil, "drm", false), (nil, [7], nil, true),
        ] as [(String?, [UInt8]?, String?, Bool)])
    func granted(_ format: String?, _ identifier: [UInt8]?, _ system: String?, _ isHere: Bool) throws {
        try insert()
        try enter(key("k") { ($0.format, $0.identifier, $0.system) = (format, identifier, system) })
        #expect(try licenses.isGrantedHere(token) == isHere)
    }

    @Test("that end and come from another store are not granted here")
    func foreign() throws {
        for (terms, isHere) in [(LicenseTerms(), true), (LicenseTerms(rental: 5), false)] {
            var license = License(terms, at: moment(0))
            license.isForeign = true
            try licenses.insert(license, of: token)
            #expect(try licenses.isGrantedHere(token) == isHere)
        }
    }

    @Test("postpone due renewals: stored keys and missing ones have their own times")
    func postpone() throws {
        try enter(
            key("due") { $0.renewAt = moment(5) }, key("later") { $0.renewAt = moment(6) },
            key("missing") { ($0.sealed, $0.renewAt) = (nil, moment(1)) })
        try licenses.postponeRenewals(of: token, at: moment(5), to: moment(50), missing: moment(20))
        let times = try fixture.catalog.renditions.keys(of: token).map(\.renewAt)
        #expect(times == [moment(50), moment(6), moment(20)])
        #expect(try licenses.renewals(limit: 1).map(\.at) == [moment(6)])
    }

    @Test("begin their play window with the first play, and count the keys that were handed out")
    func plays() throws {
        try #require(try licenses.setFirstPlay(of: token, at: moment(1)) == nil)
        try insert(LicenseTerms(playWindow: 1))
        #expect(try licenses.setFirstPlay(of: token, at: moment(2))?.playExpiresAt == moment(1002))
        #expect(try licenses.setFirstPlay(of: token, at: moment(9))?.firstPlayedAt == moment(2))
        let other = try fixture.add(2)
        try licenses.addHandouts([
            token: Handouts(count: 3, last: moment(8)), other: Handouts(count: 1, last: moment(8)),
        ])
        let license = try #require(try licenses.license(of: token))
        #expect(license.keysHandedOut == 3 && license.lastPlayedAt == moment(8))
        #expect(
            try licenses.licenseEvents(of: token).first
                == LicenseEvent(kind: .keyHandedOut, at: moment(8), count: 3))
        #expect(
            try history == [.keyHandedOut, .played, .requested] && licenses.licenseEvents(of: other).isEmpty)
    }

    @Test("follow the trusted time, also after a wrong one")
    func clock() throws {
        #expect(try licenses.highWater() == nil)
        try insert(LicenseTerms(rental: 1))
        try licenses.setHighWater(moment(100))
        try licenses.restartClock(at: moment(10), floor: moment(500))
        #expect(try licenses.license(of: token)?.floor == moment(500))
        try licenses.setHighWater(moment(40))
        #expect(try licenses.license(of: token)?.floor == moment(530) && licenses.highWater() == moment(40))
        try licenses.setHighWater(moment(600))
        #expect(try licenses.license(of: token)?.floor == moment(530))
    }

    @Test(
        "that can run out are known to be there",
        arguments: [
            (LicenseTerms(), false), (LicenseTerms(rental: 1), true), (LicenseTerms(playWindow: 1), true),
        ])
    func limited(_ terms: LicenseTerms, _ isLimited: Bool) throws {
        try insert(terms)
        #expect(try licenses.hasLimitedLicenses() == isLimited)
        try revoke()
        #expect(try !licenses.hasLimitedLicenses())
    }

    @Test("that end in a time are listed, but none that has ended or was revoked")
    func ending() throws {
        try insert(LicenseTerms(rental: 10))
        func ending(_ from: Int64, _ to: Int64) throws -> Int {
            try fixture.catalog.assets.page(
                states: [], before: nil, expiring: moment(from)..<moment(to), limit: 5
            ).count
        }
        #expect(try ending(0, 10_000) == 1 && ending(0, 9999) == 0 && ending(10_000, 20_000) == 0)
        try revoke()
        #expect(try ending(0, 10_000) == 0)
    }
}
