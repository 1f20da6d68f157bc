import HLSPlaylist
import ModelTestSupport
import Testing

@testable import StoreCatalog
@testable import StoreModel

@Suite("A recording in the catalog")
struct RecordingTableTests {
    private let fixture: TableFixture
    private let token: AssetToken
    private let id: Int64
    private var recordings: RecordingTable { fixture.catalog.recordings }

    init() throws {
        let fixture = try TableFixture()
        let token = try fixture.add(1, .queued, reason: "slot")
        id = try fixture.rendition(of: token)
        let plan = PlannedRecording(
            wish: Selection.Recording(), states: ["video": .init(shift: 3, discontinuity: 1)])
        try fixture.catalog.write(.asset(token)) { try RecordingTable.insert(plan, of: token, $0) }
        (self.fixture, self.token) = (fixture, token)
    }

    private func grow(_ units: [UnitRecord], gap: RecordingGap? = nil, text: String = "") throws {
        let row = try #require(try fixture.row(token))
        try recordings.grow(
            RecordedGrowth(
                token: token, rendition: row, body: Array(text.utf8), units: units,
                state: .init(shift: 4, discontinuity: 2), keys: [], gap: gap, duration: 8), at: moment(5))
    }

    private func unit(_ number: Int, _ kind: UnitKind = .segment, _ state: UnitState = .missing) -> UnitRecord
    {
        UnitRecord(kind: kind, number: number, start: 8, duration: 4, url: "https://host/x", state: state)
    }

    private func gap(_ reason: GapReason) -> RecordingGap {
        RecordingGap(
            rendition: "video", number: 3, count: 2, start: 8, duration: 4, reason: reason.rawValue,
            at: moment(5))
    }

    @Test("grows by segments that can be fetched: a gap of the stream has a number, but no segment")
    func growth() throws {
        try grow([unit(2), unit(3, .segment, .gap), unit(0, .initialization)])
        let row = try #require(try fixture.row(token))
        #expect(row.segments == 3 && row.initializations == 1 && row.duration == 16)
        #expect(try fixture.catalog.assets.asset(token)?.duration == 16)
        #expect(try recordings.gapNumbers(ofRendition: id) == [3])
        let state = try recordings.recordedStates(of: token)["video"]
        #expect(state?.shift == 4 && state?.discontinuity == 2)
        #expect(try recordings.pieceCount(token, "video") == 1 && recordings.pieceCount(token, "x") == 0)
    }

    @Test("has its playlist in the pieces that came, in their order")
    func pieces() throws {
        let source = SourcePlaylist(rendition: "video", url: "https://host/v.m3u8", body: Array("a".utf8))
        try fixture.catalog.write(.asset(token)) { try RenditionTable.insert(source, of: token, $0) }
        for text in ["b", "c"] { try grow([], text: text) }
        #expect(try fixture.catalog.renditions.sourcePlaylist(token, "video")?.body == Array("abc".utf8))
        #expect(try fixture.catalog.renditions.sourcePlaylist(token, "") == nil)
    }

    @Test("lists its gaps")
    func gaps() throws {
        try grow([], gap: gap(.lost))
        #expect(try recordings.all(of: [token])[token]?.gaps == [gap(.lost)])
        #expect(try fixture.events(of: token) == ["changed gap-lost"])
        #expect(try recordings.all(of: [fixture.add(2)]).isEmpty)
    }

    @Test("waits no more for a segment that the origin has lost, and tells of it once")
    func lost() throws {
        let row = try #require(try fixture.row(token))
        let job = UnitJob(
            unit: try #require(try fixture.catalog.units.unit(of: id, .segment, 1)), rendition: row)
        try recordings.markLost(job, of: token, at: moment(6))
        #expect(try fixture.row(token)?.segments == 1 && recordings.gapNumbers(ofRendition: id) == [1])
        #expect(try recordings.pieceCount(token, "video") == 1)
        try fixture.store([0], of: id)
        let stored = try #require(try fixture.catalog.units.unit(of: id, .segment, 0))
        try recordings.markLost(UnitJob(unit: stored, rendition: row), of: token, at: moment(6))
        #expect(try fixture.row(token)?.segments == 1 && fixture.events(of: token) == ["changed gap-lost"])
    }

    @Test("ends once, and is open until then")
    func end() throws {
        #expect(try recordings.openRecordings() == [token] && recordings.queuedRecordings() == [token])
        try fixture.apply(.yield, to: token, .waits(.disk))
        #expect(try recordings.queuedRecordings().isEmpty && recordings.openRecordings() == [token])
        try recordings.endRecording(token, .stopped, at: moment(7))
        try recordings.endRecording(token, .limit, at: moment(8))
        let recording = try #require(try recordings.recording(of: token))
        #expect(recording.end == .stopped && recording.endedAt == moment(7))
        #expect(try recordings.openRecordings().isEmpty)
        #expect(try fixture.events(of: token).last == "changed recorded-stopped")
        #expect(try recordings.recording(of: fixture.add(2)) == nil)
    }

    @Test("finds its own segments among the addresses that are listed now")
    func addresses() {
        var listed = [unit(5), unit(5), unit(6), unit(0, .initialization)]
        for index in listed.indices { listed[index].url = "https://new/\(index)/i.mp4?x" }
        listed[2].range = ClosedOffsetRange(offset: 1, length: 2)
        let fresh = FreshAddresses(listed, numbersAhead: 3)
        #expect(fresh.url(of: unit(8)) == "https://new/0/i.mp4?x")
        #expect(fresh.url(of: unit(9)) == nil && fresh.url(of: unit(5)) == nil)
        var section = unit(7, .initialization)
        section.url = "https://old/i.mp4"
        #expect(fresh.url(of: section) == "https://new/3/i.mp4?x")
        section.url = "https://old/j.mp4"
        #expect(fresh.url(of: section) == nil)
    }
}
