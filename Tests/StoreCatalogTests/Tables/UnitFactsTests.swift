import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("What the catalog keeps of a unit")
struct UnitFactsTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private let id: Int64
    private var units: UnitTable { fixture.catalog.units }

    init() throws {
        fixture = try TableFixture()
        token = try fixture.add(1, .complete)
        id = try fixture.rendition(of: token)
    }

    private func enter(_ unit: UnitRecord) throws {
        try fixture.catalog.write(.rendition(id)) { try RenditionTable.insert([unit], of: id, $0) }
    }

    private func row(_ number: Int) -> AbsentRow {
        AbsentRow(rendition: id, kind: .segment, number: number, finding: .gone)
    }

    @Test("includes the length of a missing one, which is not listed as stored for that")
    func outlines() throws {
        try fixture.store([0, 1], of: id)
        try units.markAbsent([row(1)])
        #expect(try units.storedOutlines(ofRendition: id).map(\.number) == [0])
        #expect(try units.outlines(of: id).map(\.size) == [100, 100])
        #expect(try units.outlines(of: id).map(\.state) == [.stored, .missing])
        #expect(try units.outlines(of: id).map(\.finding) == [nil, .gone])
    }

    @Test("is its range of bytes and its encryption")
    func entered() throws {
        var unit = UnitRecord(
            kind: .segment, number: 7, start: -1, duration: 4, url: "https://host/7", encryption: .other)
        unit.range = ClosedOffsetRange(offset: 5, length: 9)
        try enter(unit)
        let found = try #require(try units.unit(of: id, .segment, 7))
        #expect(found.range == ClosedOffsetRange(offset: 5, length: 9) && found.encryption == .other)
        #expect(found.start == -1 && found.duration == 4 && found.url == "https://host/7")
        #expect(found.state == .missing && found.size == nil && found.sha256 == nil && found.finding == nil)
        #expect(try units.unit(of: id, .segment, 0)?.range == nil)
        #expect(try units.unit(of: id, .initialization, 7) == nil)
    }

    @Test("tells whether a rendition is encrypted; one without segments is not")
    func encrypted() throws {
        let empty = try fixture.rendition("empty", of: token, .audio, segments: 0)
        #expect(try !units.isEncrypted(rendition: empty))
        #expect(try units.start(ofRendition: empty) == 0)
        let section = UnitRecord(
            kind: .initialization, number: -5, start: 0, duration: 0, url: "x", encryption: .blocks)
        try enter(section)
        #expect(try !units.isEncrypted(rendition: id), "the first segment decides")
    }

    @Test("is its version and the wrapping that was taken off when it is stored, and not later")
    func stored() throws {
        var unit = StoredUnit(
            rendition: id, kind: .segment, number: 0, size: 100, sha256: [1], finding: .short,
            disguise: "PNG", folderTime: FolderTime(nanoseconds: 5), version: Validator(etag: "a"))
        try units.markStored([unit])
        (unit.disguise, unit.version, unit.size) = ("JPEG", Validator(etag: "b"), 7)
        try units.markStored([unit])
        let row = try #require(try fixture.row(token))
        #expect(row.disguise == "PNG" && row.folderTime == FolderTime(nanoseconds: 5))
        #expect(row.storedSegments == 1 && row.storedBytes == 100)
        #expect(try fixture.catalog.health.version(.segment(0), ofRendition: id)?.etag == "a")
        let found = try #require(try units.unit(of: id, .segment, 0))
        #expect(found.size == 100 && found.finding == .short)
    }

    @Test("is its newest object in the bucket; another one is not replaced by it")
    func objects() throws {
        var unit = StoredUnit(
            rendition: id, kind: .segment, number: 0, size: 100, sha256: [1], finding: .damaged)
        unit.object = "first"
        try units.markStored([unit])
        try units.setObject("second", insteadOf: "first", of: row(0), nil)
        try units.setObject("third", insteadOf: "first", of: row(0), .gone)
        let found = try #require(try units.unit(of: id, .segment, 0))
        #expect(found.object == "second" && found.finding == nil && found.isInBucket)
        try units.markAbsent([row(0)])
        try units.setObject("fourth", insteadOf: "second", of: row(0), nil)
        let gone = try #require(try units.unit(of: id, .segment, 0))
        #expect(gone.object == "second" && gone.finding == .gone && !gone.isInBucket)
    }

    @Test("is forgotten when it is deleted on purpose, except what an imported one must be like again")
    func forgotten() throws {
        let cancelled = try fixture.add(2, .cancelled)
        let other = try fixture.rendition(of: cancelled)
        let copied = UnitRecord(kind: .segment, number: 2, start: 8, duration: 4, url: "file:///films/2.ts")
        try fixture.catalog.write(.rendition(other)) {
            try RenditionTable.insert([copied], of: other, $0)
        }
        var unit = StoredUnit(rendition: other, kind: .segment, number: 0, size: 100, sha256: [1])
        unit.object = "o"
        try units.markStored([unit])
        try fixture.store([2], of: other)
        #expect(try fixture.catalog.storage.purge(cancelled) { _ in false }.count == 1)
        let all = try units.all(of: other)
        #expect(all.map(\.state) == [.missing, .missing, .missing])
        #expect(all.map(\.size) == [nil, nil, 100] && all.map(\.sha256) == [nil, nil, [1]])
        #expect(all.map(\.object) == [nil, nil, nil])
    }

    @Test("is not changed by a look at one that is not stored")
    func findings() throws {
        try fixture.store([0], of: id)
        try fixture.catalog.health.setFinding(.undecodable, of: [row(0), row(1)], token, at: moment(1))
        #expect(try units.all(of: id).map(\.finding) == [.undecodable, nil])
        try fixture.catalog.health.setFinding(.short, of: [], token, at: moment(2))
        #expect(try units.all(of: id).map(\.finding) == [.undecodable, nil])
    }
}
