import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("The health of a complete asset")
struct HealthFactsTests {
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

    /// The health that is told at a moment.
    private func level(at now: Int64 = 1) throws -> Health.Level? {
        try health.noteHealth(of: token, at: moment(now))
        let counts = try health.countsByHealth()
        try #require(counts.count == 1)
        return counts.keys.first
    }

    private func enter(_ lost: [LostStream]) throws {
        try fixture.catalog.write(.asset(token)) { try HealthTable.insert(lost, of: token, $0) }
    }

    @Test("is incomplete when its license was revoked, also if no key of it is missing")
    func revoked() throws {
        try fixture.catalog.licenses.insert(License(LicenseTerms(), at: moment(0)), of: token)
        #expect(try level() == .sound)
        try fixture.catalog.licenses.changeLicense(of: token, .revoked, at: moment(2)) {
            $0.revoked(at: moment(2))
        }
        #expect(try fixture.events(of: token) == ["health incomplete"])
        #expect(try level(at: 3) == .incomplete)
    }

    @Test(
        "is incomplete when its license has ended, by the later one of the present time and the latest seen",
        arguments: [
            (9999, 1, .sound), (10_000, 1, .incomplete), (1, 9999, .sound),
            (1, 10_000, .incomplete),
        ] as [(Int64, Int64, Health.Level)])
    func expired(_ now: Int64, _ seen: Int64, _ level: Health.Level) throws {
        let license = License(LicenseTerms(rental: 10), at: moment(0))
        try fixture.catalog.licenses.insert(license, of: token)
        try fixture.catalog.licenses.setHighWater(moment(seen))
        #expect(try self.level(at: now) == level)
    }

    @Test("is incomplete with a gap of the stream; a segment that is not fetched yet has no finding")
    func gaps() throws {
        let units = [UnitState.gap, .missing].enumerated().map { offset, state in
            UnitRecord(
                kind: .segment, number: 5 + offset, start: 20, duration: 4, url: "https://host/x",
                state: state)
        }
        try fixture.catalog.write(.asset(token)) { try RenditionTable.insert(units, of: id, $0) }
        let gap = NotableUnit(
            rendition: "video", kind: .segment, number: 5, start: 20, duration: 4, finding: .gap)
        #expect(try health.notableUnits(of: [token]) == [token: [gap]])
        #expect(try fixture.catalog.units.all(of: id).suffix(2).map(\.finding) == [.gap, nil])
        #expect(try level() == .incomplete)
    }

    @Test("has each lost stream once, with the reason that came last")
    func lost() throws {
        let sound = LostStream(kind: "audio", language: "de", reason: "first")
        let text = LostStream(kind: "subtitles", language: "fr", reason: "first")
        try enter([sound, text])
        let again = LostStream(kind: "audio", language: "de", reason: "second")
        let video = LostStream(kind: "variant", resolution: "640x360", reason: "second")
        try enter([again, video])
        try enter([])
        #expect(try fixture.catalog.assets.asset(token)?.lost == [text, again, video])
    }

    @Test("is incomplete without sound or subtitles that were lost, until they have come")
    func missed() throws {
        try enter([LostStream(kind: "variant", resolution: "640x360", reason: "r")])
        #expect(try level() == .sound, "another variant takes its place")
        try enter([LostStream(kind: "audio", language: "de", reason: "r")])
        #expect(try level() == .incomplete)
        let sound = try fixture.rendition("sound", of: token, .audio) {
            ($0.position, $0.language) = (1, "de")
        }
        try fixture.store([0, 1], of: sound)
        #expect(try level() == .sound)
        #expect(try fixture.events(of: token) == ["health incomplete", "health sound"])
    }

    @Test("is told of complete assets only, and of none that is not there")
    func unfinished() throws {
        let queued = try fixture.add(2, .queued)
        try health.noteHealth(of: queued, at: moment(1))
        #expect(try health.countsByHealth() == [:] && health.firstWithoutHealth() == token)
        try health.noteHealth(of: sampleRecord(9).token, at: moment(1))
        #expect(try fixture.catalog.events.firstEvent() == nil)
    }
}
