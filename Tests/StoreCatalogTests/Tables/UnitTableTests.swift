import StoreTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("The units of a rendition in the catalog")
struct UnitTableTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private let id: Int64
    private var units: UnitTable { fixture.catalog.units }

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1, .complete)
        id = try fixture.rendition(of: token, segments: 3, sections: 2)
    }

    private func absent(_ number: Int, _ kind: UnitKind = .segment) -> AbsentRow {
        AbsentRow(rendition: id, kind: kind, number: number, finding: .gone)
    }

    /// Segments, sections and bytes that are counted as stored.
    private func counts() throws -> [Int64] {
        let row = try #require(try fixture.row(token))
        return [Int64(row.storedSegments), Int64(row.storedInitializations), row.storedBytes]
    }

    @Test("are counted once when they are stored, and no longer when they are missing")
    func counted() throws {
        try fixture.store([0, 1], of: id)
        try fixture.store([1], of: id)
        try fixture.store([0], .initialization, of: id, size: 7)
        #expect(try counts() == [2, 1, 207])
        try units.markAbsent([absent(1), absent(2), absent(0, .initialization)])
        #expect(try counts() == [1, 0, 100])
        let gone = try #require(try units.unit(of: id, .segment, 1))
        // A file that someone puts back is known by them.
        #expect(gone.state == .missing && gone.size == 100 && gone.sha256 == [1] && gone.finding == .gone)
    }

    @Test("that are damaged are told of once")
    func damage() throws {
        try fixture.store([0], of: id)
        for _ in 0..<2 {
            try units.noteDamage(to: token, [absent(0), absent(1)], reason: "r", at: moment(1))
        }
        #expect(try fixture.events(of: token) == ["damaged r", "health damaged"])
        try units.noteDamage(to: token, [], reason: "playlist", at: moment(1))
        #expect(try fixture.events(of: token).last == "damaged playlist")
        #expect(try !fixture.catalog.health.noteDiscovered([absent(0)], of: token, at: moment(2)))
    }

    @Test("that are found gone are news only of a complete asset")
    func discovered() throws {
        try fixture.store([0], of: id)
        try fixture.apply(.repair, to: token, .slot)
        #expect(try !fixture.catalog.health.noteDiscovered([absent(0)], of: token, at: moment(2)))
        #expect(try units.storedNumbers(ofRendition: id) == [0])
        try fixture.apply(.begin, to: token)
        try fixture.apply(.finish, to: token)
        #expect(try fixture.catalog.health.noteDiscovered([absent(0)], of: token, at: moment(2)))
        #expect(try units.storedNumbers(ofRendition: id) == [])
    }

    @Test("are listed by kind, number and state")
    func lists() throws {
        try fixture.store([2, 0], of: id)
        try fixture.store([1], .initialization, of: id)
        let all = try units.all(of: id)
        #expect(
            all.map(\.number) == [0, 1, 0, 1, 2] && all.prefix(2).allSatisfy { $0.kind == .initialization })
        #expect(try units.all(of: id, states: [.stored]).map(\.number) == [1, 0, 2])
        #expect(try units.storedNumbers(ofRendition: id) == [0, 2])
        #expect(try units.missingSections(ofRendition: id) == [0])
        let outlines = try units.storedOutlines(ofRendition: id)
        #expect(outlines.map(\.number) == [0, 2, 1] && outlines.last?.kind == .initialization)
        #expect(try units.outlines(of: id).map(\.number) == [0, 1, 2, 0, 1])
    }

    @Test("tell the largest bit rate, where they begin, and whether they are encrypted")
    func facts() throws {
        #expect(try units.peakBandwidth(ofRendition: id) == nil && units.start(ofRendition: id) == 0)
        try fixture.store([0], of: id, size: 1000)
        try fixture.store([1], of: id, size: 500)
        #expect(try units.peakBandwidth(ofRendition: id) == 2000)
        #expect(try !units.isEncrypted(rendition: id))
        let unit = UnitRecord(
            kind: .segment, number: -1, start: -1.5, duration: 4, url: "x", encryption: .blocks)
        try fixture.catalog.write(.rendition(id)) { try RenditionTable.insert([unit], of: id, $0) }
        #expect(try units.start(ofRendition: id) == -1.5 && units.isEncrypted(rendition: id))
    }

    @Test("of several renditions are those of the assets that are asked for, in the renditions' order")
    func renditions() throws {
        try fixture.rendition("sound", of: token, .audio) { $0.position = 1 }
        let other = try fixture.add(2)
        try fixture.rendition(of: other)
        let all = try fixture.catalog.renditions.all(of: [token])
        #expect(all.keys.map(\.self) == [token] && all[token]?.map(\.name) == ["video", "sound"])
        #expect(try fixture.row(token, "none") == nil)
    }

    @Test("have the version that the origin had when they came; the playlist has one of its own")
    func versions() throws {
        let health = fixture.catalog.health
        try health.setVersion(Validator(etag: "p"), .playlist, ofRendition: id)
        try health.setVersion(Validator(etag: "a"), .segment(0), ofRendition: id)
        try health.setVersion(Validator(etag: "b", total: 5), .segment(0), ofRendition: id)
        #expect(try health.version(.playlist, ofRendition: id)?.etag == "p")
        #expect(try health.versions(ofRendition: id).mapValues(\.etag) == [0: "b"])
        #expect(try health.version(.segment(0), ofRendition: id)?.total == 5)
        #expect(try health.version(.segment(1), ofRendition: id) == nil)
    }
}
