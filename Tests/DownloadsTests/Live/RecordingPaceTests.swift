import StoreTestSupport
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import LivePlaylists
@testable import StoreCatalog
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The renditions of a recording", .timeLimit(.minutes(1)))
struct RecordingPaceTests {
    @Test("are recorded each to its own end, although another required one has ended long before")
    func ends() async throws {
        let origin = try OriginServer()
        let long = LiveShow(
            origin,
            pages: (0..<8).map { LiveShow.page(0..<3 + $0) } + [LiveShow.page(0..<12, isEnd: true)])
        let short = LiveShow(
            origin, "/short/index.m3u8", pages: [LiveShow.page(0..<3), LiveShow.page(0..<3, isEnd: true)])
        long.serveSegments(12)
        short.serveSegments(3, seed: 100)
        origin.serve(
            "/master.m3u8",
            text: Playlists.master(
                Playlists.variant("live/index.m3u8", 2_000_000),
                Playlists.variant("short/index.m3u8", 1_000_000)))
        let fixture = try StoreFixture(origin: origin) {
            $0.pause = { seconds in
                short.turn()
                try await long.pause(seconds)
            }
        }
        let asset = try await fixture.download("/master.m3u8") { request in
            request.selection.allVariants = true
            request.selection.recording = Selection.Recording()
            request.selection.recording?.fromStart = true
        }
        let rows = try fixture.store.catalog.renditions.all(of: [asset.token])[asset.token] ?? []
        await fixture.store.stop()
        #expect(asset.state == .complete && asset.recording?.end == .ended)
        #expect(rows.map(\.required) == [true, true])
        #expect(rows.map(\.segments).sorted() == [3, 12] && rows.allSatisfy(\.isComplete))
    }

    @Test(
        "are loaded whole, once an origin that announces delta updates has refused one",
        arguments: [400, 404])
    func refusedUpdate(_ status: Int) async throws {
        let control = "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=600\n"
        let pages =
            [0..<3, 0..<6, 2..<8].map { LiveShow.page($0, header: control) }
            + [LiveShow.page(4..<10, header: control, isEnd: true)]
        let show = LiveShow(try OriginServer(), pages: pages)
        let bytes = show.serveSegments(10)
        show.origin.fault("\(show.path)?_HLS_skip=YES", .status(status))
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let asset = try await fixture.record(show)
        for (number, segment) in bytes.enumerated() {
            #expect(try fixture.stored(asset.token, "video/\(number).ts") == segment)
        }
        await fixture.store.stop()
        #expect(asset.state == .complete && asset.recording?.gaps == [] && asset.duration == 10)
        #expect(show.origin.requests(for: show.path).count { $0.query != nil } == 1)
    }
}
