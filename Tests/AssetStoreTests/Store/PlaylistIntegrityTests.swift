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

/// Served playlists that were deleted or changed behind the store's back.
struct PlaylistIntegrityTests {
    private func complete(_ fixture: StoreFixture) async throws -> (token: AssetToken, playlist: [UInt8]) {
        fixture.origin.serveStream("/v", count: 3)
        let token = try await fixture.download("/v/index.m3u8").token
        return (token, try fixture.stored(token, "video/media.m3u8") ?? [])
    }

    @Test("without its playlist an asset does not play, and repair makes it again with no request")
    func deleted() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, playlist) = try await complete(fixture)
            try FileSystem.unlink(fixture.path(token, "video/media.m3u8"))
            #expect(try fixture.store.reader.requireAsset(token).availability.blockedBy == [.playlistMissing])
            #expect(try await fixture.store.verify(token).missing == ["video/media.m3u8"])
            fixture.origin.forgetRequests()
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.stored(token, "video/media.m3u8") == playlist)
            #expect(fixture.origin.requests.isEmpty)
            #expect(try fixture.store.reader.requireAsset(token).availability.offline)
        }
    }

    private enum Deed: CaseIterable { case deleted, continued }

    private func healthEvents(_ fixture: StoreFixture, _ token: AssetToken) throws -> [String?] {
        try fixture.store.catalog.events.all(after: 0, limit: 1000).filter {
            $0.token == token && $0.kind == .health
        }.map(\.reason)
    }

    @Test(
        "a playlist that is missing or longer than stored is damage, in the asset and in events",
        arguments: Deed.allCases)
    private func told(_ deed: Deed) async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, playlist) = try await complete(fixture)
            let path = fixture.path(token, "video/media.m3u8")
            switch deed {
            case .deleted: try FileSystem.unlink(path)
            case .continued:
                let file = try FileDescriptor.open(path, .writeOnly)
                _ = try file.writeAll(toAbsoluteOffset: Int64(playlist.count), Array("# more\n".utf8))
                try file.close()
            }
            for asset in [
                try fixture.store.reader.requireAsset(token),
                try #require(try fixture.store.reader.assets().first),
            ] {
                #expect(asset.health.level == .damaged)
                #expect(asset.health.problems.map(\.kind) == [.playlistMissing])
                #expect(asset.health.problems.map(\.advice) == [.repair])
                #expect(!asset.availability.offline)
            }
            while try healthEvents(fixture, token).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            try await fixture.store.repair(token)
            #expect(try healthEvents(fixture, token) == ["damaged", "sound"])
            #expect(try fixture.store.reader.requireAsset(token).health == Health(level: .sound))
        }
    }

    @Test("a player gets a playlist whose file is missing unchanged, and the file is made again")
    func remade() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, playlist) = try await complete(fixture)
            try FileSystem.unlink(fixture.path(token, "video/media.m3u8"))
            #expect(try fixture.store.reader.playlists.remadeMediaPlaylist(token, "video") == playlist)
            while try healthEvents(fixture, token).count < 2 { try await Task.sleep(for: .milliseconds(10)) }
            #expect(try fixture.stored(token, "video/media.m3u8") == playlist)
            #expect(try healthEvents(fixture, token) == ["damaged", "sound"])
            #expect(try fixture.store.reader.requireAsset(token).health == Health(level: .sound))
        }
    }

    @Test("a playlist with other bytes is found damaged, and repaired")
    func changed() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, playlist) = try await complete(fixture)
            let wrong = [UInt8](repeating: UInt8(ascii: "X"), count: playlist.count)
            try DurableWrite.write(wrong, to: fixture.path(token, "video/media.m3u8"))
            #expect(try await fixture.store.verify(token).damaged == ["video/media.m3u8"])
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try fixture.stored(token, "video/media.m3u8") == playlist)
        }
    }

    @Test("a playlist as earlier versions made it, with the initialization section of a gap, is sound")
    func former() async throws {
        try await StoreFixture.run { fixture async throws in
            serveGap(fixture, "/v")
            let token = try await fixture.download("/v/index.m3u8").token
            try writeFormer(fixture, token, "video")
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("the changed playlist is found among several that earlier versions made")
    func severalFormer() async throws {
        try await StoreFixture.run { fixture async throws in
            for folder in ["/v", "/a"] { serveGap(fixture, folder) }
            fixture.origin.serve(
                "/master.m3u8",
                text: Playlists.master(
                    Playlists.rendition("AUDIO", "a", "en", "a/index.m3u8"),
                    Playlists.variant("v/index.m3u8", 1000, "AUDIO=\"a\"")))
            let token = try await fixture.download("/master.m3u8").token
            for rendition in ["video", "audio-en"] { try writeFormer(fixture, token, rendition) }
            #expect(try await fixture.store.verify(token).isSound)
            let former = try fixture.stored(token, "audio-en/media.m3u8") ?? []
            try DurableWrite.write(
                former + Array("# more\n".utf8), to: fixture.path(token, "audio-en/media.m3u8"))
            #expect(try await fixture.store.verify(token).damaged == ["audio-en/media.m3u8"])
        }
    }

    private func map(_ name: String) -> String { "#EXT-X-MAP:URI=\"\(name).mp4\"\n" }

    /// Serves a segment, and a gap with an initialization section of its own.
    private func serveGap(_ fixture: StoreFixture, _ folder: String) {
        fixture.origin.serve("\(folder)/s0.m4s", bytes: Media.fragment(1))
        fixture.origin.serve("\(folder)/i.mp4", bytes: Media.initialization())
        let gap = "\(map("gone"))#EXT-X-GAP\ns1.m4s"
        fixture.origin.serve(
            "\(folder)/index.m3u8", text: Playlists.media(["s0.m4s", gap], tags: map("i")))
    }

    /// Writes a rendition's playlist as earlier versions did, which list the section of the gap.
    private func writeFormer(_ fixture: StoreFixture, _ token: AssetToken, _ rendition: String) throws {
        let path = fixture.path(token, "\(rendition)/media.m3u8")
        let text = String(decoding: try DurableWrite.read(path) ?? [], as: UTF8.self)
        let former = text.replacing("#EXT-X-GAP", with: "\(map("init-1"))#EXT-X-GAP")
        try DurableWrite.write(Array(former.utf8), to: path)
        #expect(former != text && text.contains("#EXT-X-GAP"))
    }

    @Test("a unit that verify found missing stays missing, until it is fetched")
    func twice() async throws {
        try await StoreFixture.run { fixture async throws in
            let (token, _) = try await complete(fixture)
            try FileSystem.unlink(fixture.path(token, "video/1.ts"))
            for _ in 0..<2 { #expect(try await fixture.store.verify(token).missing == ["video/1.ts"]) }
            try await fixture.store.repair(token)
            await fixture.store.untilSettled(token)
            #expect(try await fixture.store.verify(token).isSound)
        }
    }
}
