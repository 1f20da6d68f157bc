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

@Suite("The keys that a multivariant playlist names", .timeLimit(.minutes(2)))
struct MultivariantKeyTests {
    /// Whether the playlist for such a player names a key.
    private func namesKey(
        _ fixture: StoreFixture, of token: AssetToken, _ change: (inout LiveView) -> Void = { _ in }
    ) throws -> Bool {
        var view = LiveView()
        change(&view)
        let bytes = try fixture.store.reader.playlists.multivariantPlaylist(token, poster: nil, view: view)
        let text = String(decoding: try #require(bytes), as: UTF8.self)
        #expect(text.contains("#EXT-X-STREAM-INF"))
        return text.contains("#EXT-X-SESSION-KEY")
    }

    @Test("are for players that decrypt, and not for those that get all media in the clear")
    func clear() async throws {
        try await StoreFixture.run { fixture async throws in
            Licensed.serve(on: fixture.origin)
            let token = try await fixture.download("/master.m3u8").token
            #expect(try namesKey(fixture, of: token))
            let inTheClear = try namesKey(fixture, of: token) { $0.isClear = true }
            #expect(!inTheClear)
        }
    }

    @Test("are not for players whose media are made into fragments, also if there are subtitles")
    func fragments() async throws {
        try await StoreFixture.run { fixture async throws in
            Licensed.serve(on: fixture.origin)
            fixture.origin.serveSubtitles("/s")
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", nil, "DEFAULT=YES"),
                    Playlists.rendition("SUBTITLES", "s", "en", "s/index.m3u8"),
                    Playlists.variant("video/index.m3u8", 900_000, #"AUDIO="a",SUBTITLES="s""#)))
            let asset = try await fixture.download("/master.m3u8")
            #expect(Set(asset.renditions.map(\.kind)) == [.variant, .audio, .subtitles])
            #expect(try namesKey(fixture, of: asset.token))
            let inFragments = try namesKey(fixture, of: asset.token) { $0.isFragmented = true }
            #expect(!inFragments)
        }
    }
}
