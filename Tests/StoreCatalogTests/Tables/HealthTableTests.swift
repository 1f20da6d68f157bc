import ModelTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("The health of assets in the catalog")
struct HealthTableTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private let id: Int64
    private var health: HealthTable { fixture.catalog.health }

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1, .complete)
        id = try fixture.rendition(of: token)
        try fixture.store([0, 1], of: id)
    }

    private func drift(mixed: Bool, _ detail: String = "d") -> Drift {
        Drift(rendition: "video", isMixed: mixed, at: moment(1), detail: detail)
    }

    @Test("is reported when it changes; the first time only if something is wrong")
    func told() throws {
        #expect(try health.firstWithoutHealth() == token)
        try health.noteHealth(of: token, at: moment(1))
        #expect(try health.firstWithoutHealth() == nil && fixture.events(of: token) == [])
        for _ in 0..<2 {
            try health.setFinding(
                .undecodable, of: [AbsentRow(rendition: id, kind: .segment, number: 0, finding: .gone)],
                token,
                at: moment(2))
        }
        let told = try fixture.events(of: token)
        #expect(told.count == 1 && told[0].hasPrefix("health "))
        #expect(try health.notableUnits(of: [token])[token]?.map(\.finding) == [.undecodable])
        #expect(try health.countsByHealth().values.map(\.self) == [1])
    }

    @Test("is that of complete assets only")
    func complete() throws {
        try fixture.apply(.repair, to: token, .slot)
        try health.noteBrokenPlaylists(of: token, at: moment(1))
        try health.noteHealth(of: token, at: moment(1))
        #expect(try fixture.events(of: token) == ["state queued slot"])
        #expect(try health.countsByHealth() == [:] && health.firstWithoutHealth() == nil)
    }

    @Test("is damaged when a playlist is broken, which is told once")
    func playlists() throws {
        for _ in 0..<2 { try health.noteBrokenPlaylists(of: token, at: moment(1)) }
        #expect(try fixture.events(of: token) == ["damaged 1 file is gone or changed", "health damaged"])
        #expect(try health.countsByHealth() == [.damaged: 1])
    }

    @Test("changes when a license ends, by the clock that counts for it")
    func licenses() throws {
        try fixture.catalog.licenses.insert(License(LicenseTerms(rental: 10), at: moment(0)), of: token)
        try health.noteHealth(of: token, at: moment(1))
        try health.noteEndedLicenses(at: moment(9999))
        #expect(try fixture.events(of: token) == [])
        try health.noteEndedLicenses(at: moment(10_000))
        let told = try fixture.events(of: token)
        #expect(told.count == 1 && told[0].hasPrefix("health "))
        try health.noteHealth(of: token, at: moment(10_001))
        #expect(try fixture.events(of: token).count == 1)
    }

    @Test("of an older version's assets can be skipped until something changes")
    func skipped() throws {
        try health.skipHealth(of: token)
        #expect(try health.firstWithoutHealth() == nil)
        try health.noteHealth(of: token, at: moment(1))
        #expect(try health.countsByHealth() == [.sound: 1])
    }

    @Test("forgets that an origin has another stream, but not that two of them are stored")
    func drifts() throws {
        try health.setDrift(drift(mixed: false), of: token)
        #expect(try health.drift(of: token) == drift(mixed: false) && health.mixtures(of: [token]).isEmpty)
        try health.setDrift(nil, of: token)
        #expect(try health.drift(of: token) == nil)
        try health.setDrift(drift(mixed: true), of: token)
        try health.setDrift(nil, of: token)
        #expect(try health.mixtures(of: [token]) == [token: drift(mixed: true)])
        try health.setDrift(drift(mixed: true, "other"), of: token)
        #expect(try health.drift(of: token)?.detail == "other")
    }

    @Test("is that of another stream after its own was forgotten")
    func forgotten() throws {
        try health.setDrift(drift(mixed: true), of: token)
        try health.forgetStream(of: token, request: [4])
        #expect(try health.drift(of: token) == nil && fixture.row(token) == nil)
        #expect(try fixture.catalog.queue.request(of: token) == [4])
    }
}
