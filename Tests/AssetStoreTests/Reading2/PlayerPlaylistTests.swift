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

@Suite("A playlist for players", .timeLimit(.minutes(2)))
struct PlayerPlaylistTests {
    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    @Test("is a file for each rendition, but for those that were given up")
    func file() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveSubtitledStream()
            fixture.origin.remove("/s/s1.vtt")
            let asset = try await fixture.download("/master.m3u8")
            let video = try #require(asset.renditions.first { $0.kind == .variant }?.name)
            let lost = try #require(asset.renditions.first { $0.failure != nil }?.name)
            let playlists = fixture.store.reader.playlists
            let path = try #require(try playlists.mediaPlaylist(asset.token, video))
            #expect(path == fixture.path(asset.token, "\(video)/media.m3u8"))
            #expect(playlists.isWhole(playlist: path))
            #expect(try playlists.mediaPlaylist(asset.token, lost) == nil)
        }
    }

    @Test("names no keys when its segments are in the clear, and leads to these segments")
    func clear() async throws {
        try await StoreFixture.run { fixture async throws in
            Licensed.serve(on: fixture.origin)
            let asset = try await fixture.download("/master.m3u8")
            let name = try #require(asset.renditions.first?.name)
            let playlists = fixture.store.reader.playlists
            let usual = text(try playlists.wholeMediaPlaylist(asset.token, name, view: LiveView()))
            #expect(usual.contains("#EXT-X-KEY:METHOD=AES-128") && usual.contains("\n0.ts\n"))
            let clear = text(try playlists.clearMediaPlaylist(asset.token, name))
            #expect(!clear.contains("#EXT-X-KEY") && clear.contains("\n0.ts?decrypt=1\n"))
        }
    }

    @Test("names the keys of the session, but not by key ID and not in a folder")
    func sessionKeys() async throws {
        try await StoreFixture.run { fixture async throws in
            Licensed.serve(on: fixture.origin)
            let asset = try await fixture.download("/master.m3u8")
            let name = try #require(asset.renditions.first?.name)
            let playlists = fixture.store.reader.playlists
            #expect(try fixture.master(asset.token).contains("#EXT-X-SESSION-KEY:METHOD=AES-128"))
            var view = LiveView()
            view.isForClearKey = true
            let byID = text(try playlists.multivariantPlaylist(asset.token, poster: nil, view: view))
            #expect(byID.contains("\(name)/media.m3u8?keys=clearkey"))
            #expect(!byID.contains("#EXT-X-SESSION-KEY"))
            let folder = text(
                try playlists.multivariantPlaylist(asset.token, poster: nil, inFolder: [name]))
            #expect(folder.contains("\(name)/media.m3u8\n") && !folder.contains("#EXT-X-SESSION-KEY"))
        }
    }

    @Test("is made again as it was when its file is gone; of what is not there, none is made")
    func remade() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 2)
            let token = try await fixture.download("/v/index.m3u8").token
            let stored = try #require(try fixture.stored(token, "video/media.m3u8"))
            try FileSystem.unlink(fixture.path(token, "video/media.m3u8"))
            let playlists = fixture.store.reader.playlists
            #expect(try playlists.remadeMediaPlaylist(token, "video") == stored)
            #expect(try playlists.remadeMediaPlaylist(token, "none") == nil)
            #expect(try playlists.wholeMediaPlaylist(token, "none", view: LiveView()) == nil)
            let other = AssetToken(at: Timestamp(milliseconds: 1))
            #expect(try playlists.remadeMediaPlaylist(other, "video") == nil)
        }
    }

    @Test("leads to converted segments if they are a transport stream")
    func converted() async throws {
        try await StoreFixture.run { fixture async throws in
            fixture.origin.serveStream("/v", count: 1)
            let token = try await fixture.download("/v/index.m3u8").token
            let playlists = fixture.store.reader.playlists
            #expect(try playlists.isConverted(token, "video"))
            #expect(try !playlists.isConverted(token, "none"))
        }
    }
}
