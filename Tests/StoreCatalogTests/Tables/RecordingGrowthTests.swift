import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("What a load of its playlist adds to a recording")
struct RecordingGrowthTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private var recordings: RecordingTable { fixture.catalog.recordings }

    init() throws {
        let fixture = try TableFixture()
        let token = try fixture.add(1, .queued, reason: "slot")
        try fixture.rendition(of: token)
        let plan = PlannedRecording(
            wish: Selection.Recording(), states: ["video": .init(shift: 0, discontinuity: 0)])
        try fixture.catalog.write(.asset(token)) { try RecordingTable.insert(plan, of: token, $0) }
        (self.fixture, self.token) = (fixture, token)
    }

    private func grow(_ units: [UnitRecord], keys: [KeyRecord] = [], duration: Double = 0) throws {
        let row = try #require(try fixture.row(token))
        try recordings.grow(
            RecordedGrowth(
                token: token, rendition: row, body: [], units: units,
                state: .init(shift: 0, discontinuity: 0), keys: keys, duration: duration), at: moment(5))
    }

    private func unit(_ number: Int, _ kind: UnitKind = .segment) -> UnitRecord {
        UnitRecord(kind: kind, number: number, start: 8, duration: 4, url: "https://host/x")
    }

    @Test("are segments and initialization sections, each counted by itself")
    func counts() throws {
        try grow([unit(0, .initialization), unit(2), unit(3), unit(4)], duration: 12)
        let row = try #require(try fixture.row(token))
        #expect(row.segments == 5 && row.initializations == 1 && row.duration == 20)
        try grow([unit(1, .initialization), unit(2, .initialization), unit(5)], duration: 4)
        let next = try #require(try fixture.row(token))
        #expect(next.segments == 6 && next.initializations == 3 && next.duration == 24)
        #expect(try recordings.pieceCount(token, "video") == 2)
    }

    @Test("makes the asset as long as its longest rendition, and no shorter")
    func duration() throws {
        try fixture.rendition("long", of: token, .audio, segments: 10) { $0.position = 1 }
        let long = try #require(try fixture.row(token, "long"))
        let growth = RecordedGrowth(
            token: token, rendition: long, body: [], units: [], state: .init(shift: 0, discontinuity: 0),
            keys: [], duration: 2)
        try recordings.grow(growth, at: moment(5))
        try grow([unit(2)], duration: 4)
        #expect(try fixture.row(token)?.duration == 12)
        #expect(try fixture.catalog.assets.asset(token)?.duration == 42)
    }

    @Test("are keys; one that was fetched since it was named first stays")
    func keys() throws {
        try grow([], keys: [KeyRecord(id: "a", url: "https://host/a")])
        try fixture.catalog.write(.asset(token)) { session in
            try RenditionTable.insert(
                KeyRecord(id: "a", url: "https://host/a", sealed: [1], digest: [2]), of: token, session)
        }
        try grow(
            [], keys: [KeyRecord(id: "a", url: "https://host/x"), KeyRecord(id: "b", url: "https://host/b")])
        let keys = try fixture.catalog.renditions.keys(of: token)
        #expect(keys.map(\.id) == ["a", "b"] && keys.map(\.sealed) == [[1], nil])
        #expect(keys.map(\.url) == ["https://host/a", "https://host/b"] && keys[0].digest == [2])
    }

    @Test("leaves the time of the folder to whoever changes it")
    func folderTime() throws {
        let row = try #require(try fixture.row(token))
        #expect(row.folderTime == nil)
        try recordings.setFolderTime(FolderTime(nanoseconds: 5), ofRendition: row.id)
        try grow([unit(2)])
        #expect(try fixture.row(token)?.folderTime == FolderTime(nanoseconds: 5))
    }
}
