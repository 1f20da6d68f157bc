import ModelTestSupport
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

@Suite("A reader of a folder without a store")
struct AbsentStoreReadingTests {
    private let folder: TemporaryDirectory
    private let reader: StoreReader
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    init() throws {
        folder = try TemporaryDirectory()
        reader = try StoreReader(root: FilePath(folder.file("none")))
    }

    @Test("knows no asset: none waits to be read, needs keys or was removed")
    func assets() throws {
        #expect(try reader.assets().isEmpty)
        #expect(try !reader.isUnresolved(token))
        #expect(try !reader.takesKeys(token))
        #expect(try !reader.wasRemoved(token))
        let removals = try reader.removals(since: 1)
        #expect(removals.tokens.isEmpty && !removals.hasGap)
    }

    @Test("has no playlists")
    func playlists() throws {
        let playlists = reader.playlists
        #expect(try playlists.multivariantPlaylist(token, poster: nil) == nil)
        #expect(try playlists.mediaPlaylist(token, "video") == nil)
        #expect(try playlists.wholeMediaPlaylist(token, "video", view: LiveView()) == nil)
        #expect(try playlists.remadeMediaPlaylist(token, "video") == nil)
        #expect(try !playlists.isConverted(token, "video"))
    }
}
