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
@testable import StorePlanning
@testable import StoreReading

@Suite("The playlist of a recording that goes on", .timeLimit(.minutes(2)))
struct GrowingPlaylistTests {
    @Test("is there until the recording ends, for each of its renditions that was not given up")
    func growing() async throws {
        let pages = [0..<3, 0..<5].map { LiveShow.page($0) } + [LiveShow.page(0..<6, isEnd: true)]
        let show = LiveShow(try OriginServer(), pages: pages)
        show.serveSegments(6)
        show.hold(at: 1)
        let fixture = try StoreFixture(origin: show.origin) { $0.pause = show.pause }
        let token = try await fixture.add(show.path) {
            $0.selection.recording = Selection.Recording()
            $0.selection.recording?.fromStart = true
        }
        try await show.untilHeld()
        func growing(_ rendition: String) throws -> [UInt8]? {
            try fixture.store.reader.playlists.growingMediaPlaylist(token, rendition, view: LiveView())
        }
        let renditions = fixture.store.catalog.renditions
        // The download has nothing to do until the next page comes.
        try await eventually { try fixture.units(token, "video").count { $0.state == .stored } == 5 }
        let row = try #require(try renditions.rendition(token, "video"))
        try renditions.setFailure("gone", ofRendition: row.id)
        #expect(try growing("video") == nil)
        try renditions.setFailure(nil, ofRendition: row.id)
        #expect(try growing("none") == nil)
        let text = String(decoding: try growing("video") ?? [], as: UTF8.self)
        #expect(text.contains("\n0.ts\n") && !text.contains("#EXT-X-ENDLIST"))
        show.release()
        await fixture.store.untilSettled(token)
        #expect(try growing("video") == nil)
        await fixture.store.stop()
    }
}
