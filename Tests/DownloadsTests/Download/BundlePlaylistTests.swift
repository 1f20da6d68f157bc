import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetStore
@testable import Downloads
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The playlists of an asset's folder", .timeLimit(.minutes(1)))
struct BundlePlaylistTests {
    /// How many initialization sections each playlist lists.
    private func sections(_ playlists: [(name: String, bytes: [UInt8])]) -> [Int] {
        playlists.map { playlist in
            let lines = String(decoding: playlist.bytes, as: UTF8.self).split(separator: "\n")
            return lines.count { $0.hasPrefix("#EXT-X-MAP") }
        }
    }

    @Test("list no section that only gaps have, unless they are to be as earlier versions made them")
    func gaps() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serve("/v/i.mp4", bytes: Media.initialization(1))
            fixture.origin.serve("/v/m.m4s", bytes: Media.fragment(1))
            fixture.origin.serve(
                "/v/index.m3u8",
                text: Playlists.media([
                    "#EXT-X-MAP:URI=\"i.mp4\"\nm.m4s", "#EXT-X-MAP:URI=\"x.mp4\"\n#EXT-X-GAP\nx.m4s",
                ]))
            let token = try await fixture.download("/v/index.m3u8").token
            let playlists = BundlePlaylists(
                catalog: fixture.store.catalog, paths: fixture.store.paths, token: token)
            let (made, whole) = (try playlists.made(), try playlists.whole())
            let all = try playlists.made(listingAllSections: true)
            #expect(made.map(\.name) == ["video/\(ServedMediaPlaylist.fileName)"])
            #expect(sections(made) == [1] && sections(whole) == [1] && sections(all) == [2])
        }
    }

    @Test("are written again if they are missing or differ, and only then")
    func restored() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            let playlists = BundlePlaylists(
                catalog: fixture.store.catalog, paths: fixture.store.paths, token: token)
            let path = fixture.store.paths.rendition(token, "video").appending(ServedMediaPlaylist.fileName)
            let sound = try DurableWrite.read(path)
            #expect(try playlists.restore() == 0)
            try FileSystem.unlink(path)
            #expect(try playlists.restore() == 1)
            try DurableWrite.write([1, 2, 3], to: path)
            #expect(try playlists.restore() == 1)
            #expect(try DurableWrite.read(path) == sound)
            #expect(try playlists.restore() == 0)
        }
    }
}
