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

@Suite("The playlist of what is stored", .timeLimit(.minutes(2)))
struct StoredPartPlaylistTests {
    @Test("has each stored segment, and marks none of them as missing")
    func segments() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            let bytes = try fixture.store.reader.playlists.availableMediaPlaylist(token, "video")
            let lines = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n")
            #expect(lines.filter { $0.hasSuffix(".ts") } == ["0.ts", "1.ts"])
            #expect(!lines.contains("#EXT-X-GAP"))
        }
    }

    @Test("of subtitles is there beside a video, and not of an asset without one")
    func subtitles() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveSubtitledStream()
            let token = try await fixture.download("/master.m3u8").token
            let reader = fixture.store.reader
            let track = try #require(try reader.captions.subtitles(token, "en"))
            let bytes = try reader.playlists.availablePlaylist(of: track, token)
            #expect(String(decoding: bytes ?? [], as: UTF8.self).contains("#EXTINF"))
            let other = AssetToken(at: Timestamp(milliseconds: 1))
            #expect(try reader.playlists.availablePlaylist(of: track, other) == nil)
        }
    }
}
