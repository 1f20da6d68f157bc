import SystemPackage
import TestSupport
import Testing

@testable import AssetStore

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
            func map(_ name: String) -> String { "#EXT-X-MAP:URI=\"\(name).mp4\"\n" }
            fixture.origin.serve("/v/s0.m4s", bytes: Media.fragment(1))
            fixture.origin.serve("/v/i.mp4", bytes: Media.initialization())
            let gap = "\(map("gone"))#EXT-X-GAP\ns1.m4s"
            fixture.origin.serve(
                "/v/index.m3u8", text: Playlists.media(["s0.m4s", gap], tags: map("i")))
            let token = try await fixture.download("/v/index.m3u8").token
            let path = fixture.path(token, "video/media.m3u8")
            let text = String(decoding: try DurableWrite.read(path) ?? [], as: UTF8.self)
            let former = text.replacing("#EXT-X-GAP", with: "\(map("init-1"))#EXT-X-GAP")
            try DurableWrite.write(Array(former.utf8), to: path)
            #expect(former != text && text.contains("#EXT-X-GAP"))
            #expect(try await fixture.store.verify(token).isSound)
        }
    }

    @Test("what verify found missing it finds missing again, until it is fetched")
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
