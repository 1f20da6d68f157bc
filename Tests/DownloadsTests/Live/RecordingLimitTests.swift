import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import LivePlaylists
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

/// Recordings that are longer than an origin's playlist may be.
@Suite("The limits of a recording", .timeLimit(.minutes(2)))
struct RecordingLimitTests {
    /// A recording that was interrupted after four segments, with lines of its own in the catalog.
    private struct Interrupted {
        let folder: TemporaryDirectory
        let origin: OriginServer
        let token: AssetToken
        /// The lines that players got in the meantime.
        let lines: Result<[String], any Error>

        init(adding piece: String) async throws {
            (folder, origin) = (try TemporaryDirectory(), try OriginServer())
            let show = LiveShow(origin, pages: [LiveShow.page(0..<3), LiveShow.page(0..<4)])
            show.serveSegments(6)
            show.hold(at: 1)
            let fixture = try StoreFixture(in: folder, origin: origin) { $0.pause = show.pause }
            let added = try await fixture.add(show.path) { request in
                request.selection.recording = Selection.Recording()
                request.selection.recording?.fromStart = true
            }
            try await show.untilHeld()
            try fixture.enter(piece, into: added)
            lines = Result { try fixture.mediaLines(added) }
            token = added
            await fixture.store.stop()
        }

        /// The store in which it continues with the rest of the show.
        func resumed() async throws -> StoreFixture {
            let show = LiveShow(origin, pages: [LiveShow.page(2..<6, isEnd: true)])
            let fixture = try StoreFixture(in: folder, origin: origin) { $0.pause = show.pause }
            await fixture.store.start()
            await fixture.store.untilSettled(token)
            return fixture
        }
    }

    @Test("with more attributes than an origin may send plays while it grows, continues and is complete")
    func beyondOrigins() async throws {
        // Each key counts as its attributes and those in force with it.
        let keys = (0..<16).map { "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"\($0)\"\n" }.joined()
        let piece = String(repeating: keys, count: 2_800) + "#EXT-X-KEY:METHOD=NONE\n"
        #expect(throws: PlaylistError.self) { try Playlists.parsedMedia(LiveShow.page(0..<3) + piece) }
        let recording = try await Interrupted(adding: piece)
        #expect(try recording.lines.get().filter { $0.hasSuffix(".ts") }.count == 4)
        let fixture = try await recording.resumed()
        let asset = try fixture.store.reader.requireAsset(recording.token)
        #expect(asset.state == .complete && asset.recording?.end == .ended && asset.recording?.gaps == [])
        #expect(try fixture.mediaLines(asset.token).filter { $0.hasSuffix(".ts") }.count == 6)
        #expect(try await fixture.store.verify(asset.token).isSound)
        await fixture.store.stop()
    }

    @Test(
        "a recording that can't be read fails with the reason; it does not count as ended, and players do not get a part of it"
    )
    func unreadable() async throws {
        let recording = try await Interrupted(adding: "#EXTINF:x,\nhttp://origin.test/s.ts\n")
        let error = await failure { _ = try recording.lines.get() }
        #expect(error?.code.name == "unreadable-recording")
        let fixture = try await recording.resumed()
        let asset = try fixture.store.reader.requireAsset(recording.token)
        #expect(asset.state == .failed && asset.failure?.errorClass == "parse")
        #expect(asset.failure?.message.contains("the recorded playlist of video") == true)
        #expect(asset.recording?.isOpen == true)
        try fixture.store.control.stopRecording(recording.token)
        #expect(try fixture.store.reader.requireAsset(recording.token).recording?.isOpen == false)
        await fixture.store.stop()
    }

    /// Records pages with limits for one recording.
    private func record(
        _ pages: [String], _ limit: (inout ParseLimits) -> Void = { _ in }
    ) async throws -> Asset {
        let show = LiveShow(try OriginServer(), pages: pages)
        show.serveSegments(9)
        let fixture = try StoreFixture(origin: show.origin) {
            $0.pause = show.pause
            limit(&$0.conditions.recordingLimits)
        }
        let asset = try await fixture.record(show)
        await fixture.store.stop()
        return asset
    }

    @Test(
        "a recording ends before it becomes too long to be read, and keeps everything recorded",
        arguments: [(8, 1000), (1000, 9)])
    func full(_ segments: Int, _ attributes: Int) async throws {
        let pages = [0..<3, 0..<6, 0..<9].map { LiveShow.page($0) }
        let asset = try await record(pages) { limits in
            (limits.segments, limits.attributes) = (segments, attributes)
        }
        #expect(asset.state == .complete && asset.availability.offline)
        #expect(asset.recording?.end == .limit && asset.recording?.gaps == [])
        #expect(asset.duration == 6 && asset.renditions.first?.storedSegments == 6)
    }

    @Test("with a segment whose absolute address is too long has a gap, and those behind it are recorded")
    func longAddress() async throws {
        let name = String(repeating: "a", count: 65_520)
        let pages = [
            LiveShow.page(0..<3), LiveShow.page(0..<4).replacing("s3.ts", with: name),
            LiveShow.page(0..<5, isEnd: true).replacing("s3.ts", with: name),
        ]
        let asset = try await record(pages)
        #expect(asset.state == .complete && asset.availability.offline)
        #expect(asset.recording?.end == .ended && asset.duration == 5)
        #expect(asset.renditions.first?.storedSegments == 4)
    }

    @Test("counts its recorded pieces and each new one together, with some room left")
    func size() throws {
        let whole = RecordedSize(try Playlists.parsedMedia(LiveShow.page(0..<10)))
        let piece = RecordedSize(try Playlists.parsedMedia(LiveShow.page(10..<15)))
        var limits = ParseLimits()
        limits.segments = 16
        #expect(whole.fits(limits) && whole.adding(piece).fits(limits))
        #expect(!whole.adding(piece).adding(piece).fits(limits))
        limits.segments = 15
        #expect(whole.adding(piece).fits(limits))
        limits = ParseLimits()
        limits.bytes = 100
        #expect(!whole.fits(limits))
    }
}

extension StoreFixture {
    /// Enters lines into the recording of an asset's video, as if a load had brought them.
    fileprivate func enter(_ piece: String, into token: AssetToken) throws {
        guard let row = try store.catalog.renditions.rendition(token, "video") else {
            throw StoreError(.stopped(.closing))
        }
        try store.catalog.recordings.grow(
            RecordedGrowth(
                token: token, rendition: row, body: Array(piece.utf8), units: [],
                state: PlannedRecording.State(shift: 0, discontinuity: 0), keys: [], gap: nil, duration: 0),
            at: store.context.clock.now)
    }
}
