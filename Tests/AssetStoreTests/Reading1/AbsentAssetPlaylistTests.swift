import StoreTestSupport
import SystemPackage
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

@Suite("The playlists of an asset that is not there")
struct AbsentAssetPlaylistTests {
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    private func expectNone(_ playlists: PlaylistSource) throws {
        #expect(try playlists.multivariantPlaylist(token, poster: nil) == nil)
        #expect(try playlists.availableMediaPlaylist(token, "video") == nil)
        #expect(try playlists.growingMediaPlaylist(token, "video", view: LiveView()) == nil)
        #expect(try playlists.timeline(token) == nil)
        #expect(try playlists.dateRanges(of: token) == nil)
        #expect(try playlists.interstitialList(token, 0, server: "http://here") == nil)
    }

    @Test("do not exist in a store with other assets")
    func unknown() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            _ = try await fixture.download("/v/index.m3u8")
            try expectNone(fixture.store.reader.playlists)
        }
    }

    @Test("do not exist in a folder that is no store yet, of which nothing is made by reading")
    func noStore() throws {
        let folder = try TemporaryDirectory()
        let root = FilePath(folder.file("store"))
        let reader = try StoreReader(root: root)
        try expectNone(reader.playlists)
        #expect(FileSystem.isAbsent(root))
    }
}
