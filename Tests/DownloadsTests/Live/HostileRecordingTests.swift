import HLSPlaylist
import ModelTestSupport
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import Licensing
@testable import MediaDecryption
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel

@Suite("Recordings of invalid playlists", .timeLimit(.minutes(2)))
struct HostileRecordingTests {
    /// A duration that fills a line, so that the playlist exceeds the limit when it is written again.
    private static let longLine = "#EXTINF:1." + String(repeating: "0", count: 65_526)

    /// Runs a test with a show of so many segments and a store that turns its pages.
    private func withShow(
        _ pages: [String], segments: Int, _ body: (StoreFixture, LiveShow) async throws -> Void
    ) async throws {
        let show = LiveShow(try OriginServer(), pages: pages)
        show.serveSegments(segments)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture, show)) } catch { result = .failure(error) }
        await fixture.store.stop()
        try result.get()
    }

    @Test("a load that could not be confirmed adds nothing, and the next one adds its segments")
    func unreadableLoad() async throws {
        let broken = LiveShow.page(0..<4).replacing("#EXTINF:1,\ns3", with: "\(Self.longLine)\ns3")
        let pages = [LiveShow.page(0..<2), broken, LiveShow.page(1..<5, isEnd: true)]
        try await withShow(pages, segments: 5) { fixture, show in
            let asset = try await fixture.record(show)
            #expect(asset.state == .complete && asset.duration == 5 && asset.recording?.gaps == [])
            #expect(try fixture.units(asset.token, "video").map(\.number) == Array(0..<5))
            let lines = try fixture.mediaLines(asset.token)
            #expect(lines.filter { $0.hasSuffix(".ts") } == (0..<5).map { "\($0).ts" })
            #expect(try await fixture.store.verify(asset.token).isSound)
        }
    }

    /// A list that leaves no room to count on, which can't be recorded.
    private static let uncountable = LiveShow.page(
        0..<3, sequence: MediaPlaylist.largestSequenceNumber - 1)

    @Test(
        "a stream whose recording can't begin is refused, and nothing is entered",
        arguments: [false, true])
    func unrecordable(_ isCountable: Bool) async throws {
        let unreadable = LiveShow.page(0..<3).replacing("#EXTINF:1,\ns1", with: "\(Self.longLine)\ns1")
        try await withShow([isCountable ? unreadable : Self.uncountable], segments: 3) { fixture, show in
            let error = await fixture.refusal(show.path) { request in
                request.selection.recording = Selection.Recording()
                request.selection.recording?.fromStart = true
            }
            #expect(error?.errorClass == .parse && error?.url?.hasSuffix(show.path) == true)
            let isEmpty = try fixture.isEmpty
            #expect(isEmpty)
        }
    }

    @Test("subtitles that can't be recorded are left out of a recording, which continues without them")
    func unrecordableSubtitles() async throws {
        let pages = [LiveShow.page(0..<2), LiveShow.page(0..<4, isEnd: true)]
        try await withShow(pages, segments: 4) { fixture, show in
            show.origin.serve("/subs/index.m3u8", text: Self.uncountable.replacing(".ts", with: ".vtt"))
            show.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("SUBTITLES", "s", "en", "subs/index.m3u8"),
                    Playlists.variant("live/index.m3u8", 1000, "SUBTITLES=\"s\"")))
            let asset = try await fixture.download("/master.m3u8") { request in
                request.selection.recording = Selection.Recording()
                request.selection.recording?.fromStart = true
            }
            #expect(asset.state == .complete && asset.duration == 4)
            #expect(asset.renditions.map(\.name) == ["video"])
        }
    }
}
