import AssetStore
import Foundation
import OfflineServer
import SystemPackage
import TestSupport
import Testing
import Transfers

@Suite("A server in a program of somebody else", .fewAtOnce, .timeLimit(.minutes(2)))
struct PlaybackServerTests {
    private let folder: TemporaryDirectory
    private let client: TransferLoop

    init() throws {
        folder = try TemporaryDirectory()
        client = try TransferLoop()
    }

    private func get(_ url: URL) async throws -> (status: Int, body: String) {
        var request = TransferRequest(url: url.absoluteString)
        request.allowsPrivateAddresses = true
        let (result, bytes) = try await client.fetch(request)
        return (result.response.status, String(decoding: bytes, as: UTF8.self))
    }

    /// Runs `body` with an open store and the token of an asset in it that was downloaded.
    private func withDownload(_ body: (OfflineStore, AssetToken) async throws -> Void) async throws {
        let origin = try OriginServer()
        let store = try OfflineStore(root: FilePath(folder.path))
        await store.start()
        let stream = SampleStream().publish(on: origin)
        let token = try await store.add(AssetRequest(url: stream)).token
        await store.untilSettled(token)
        origin.stop()
        do { try await body(store, token) } catch {
            await store.stop()
            throw error
        }
        await store.stop()
        await client.stop()
    }

    private func anyPort(_ change: (inout PlaybackServer.Configuration) -> Void = { _ in })
        -> PlaybackServer.Configuration
    {
        var configuration = PlaybackServer.Configuration()
        configuration.address.port = 0
        change(&configuration)
        return configuration
    }

    @Test("plays a download whose origin is gone, from playlists to keys, and closes its port in the end")
    func plays() async throws {
        try await withDownload { store, token in
            let server = try await PlaybackServer.start(serving: store, anyPort())
            let playlist = server.playbackURL(for: token)
            #expect(playlist.absoluteString == "\(server.url)/assets/\(token)/master.m3u8")
            #expect(try await get(playlist).body.hasPrefix("#EXTM3U"))
            for path in ["video-360p/media.m3u8", "video-360p/0.ts", "keys/k0.key", "subtitles"] {
                #expect(
                    try await get(try #require(URL(string: path, relativeTo: playlist))).status == 200,
                    "\(path)")
            }
            for path in ["/", "/watch/\(token)", "/api/v1/assets/\(token)", "/metrics"] {
                #expect(
                    try await get(try #require(URL(string: path, relativeTo: server.url))).status == 200,
                    "\(path)")
            }
            await server.stop()
            await #expect(throws: TransferError.self) { try await get(playlist) }
        }
    }

    @Test("that was stopped leaves its store open, for another one")
    func again() async throws {
        try await withDownload { store, token in
            let first = try await PlaybackServer.start(serving: store, anyPort())
            await first.stop()
            await first.stop()
            #expect(try store.reader.requireAsset(token).state == .complete)
            let second = try await PlaybackServer.start(serving: store, anyPort())
            #expect(try await get(second.playbackURL(for: token)).status == 200)
            await second.stop()
        }
    }

    @Test("that nobody holds any more closes its port")
    func released() async throws {
        try await withDownload { store, token in
            var server: PlaybackServer? = try await PlaybackServer.start(serving: store, anyPort())
            let url = try #require(server?.playbackURL(for: token))
            #expect(try await get(url).status == 200)
            server = nil
            await #expect(throws: TransferError.self) { try await get(url) }
        }
    }

    @Test("that demands the token has it in the addresses for players, and lets nobody in without")
    func token() async throws {
        try await withDownload { store, token in
            let server = try await PlaybackServer.start(serving: store, anyPort { $0.requiresToken = true })
            #expect(server.requiresToken)
            #expect(try await get(server.playbackURL(for: token)).status == 200)
            let bare = server.url.appending(path: "assets/\(token)/master.m3u8")
            #expect(try await get(bare).status == 401)
            await server.stop()
        }
    }

    @Test("whose port is taken says so, or takes another one where that will do")
    func portInUse() async throws {
        let other = try OriginServer()
        defer { other.stop() }
        try await withDownload { store, token in
            var wanted = anyPort { $0.address.port = other.port }
            do {
                _ = try await PlaybackServer.start(serving: store, wanted)
                Issue.record("two servers listen on one port")
            } catch PlaybackServerError.portInUse(let address) {
                #expect(address == wanted.address)
            }
            wanted.fallsBackToFreePort = true
            let server = try await PlaybackServer.start(serving: store, wanted)
            #expect(server.port != other.port)
            #expect(try await get(server.playbackURL(for: token)).status == 200)
            await server.stop()
        }
    }

    @Test("with an allowed origin that is none does not start")
    func invalidOrigin() async throws {
        try await withDownload { store, _ in
            let wanted = anyPort { $0.allowedOrigins = ["player.example/page"] }
            do {
                _ = try await PlaybackServer.start(serving: store, wanted)
                Issue.record("a server takes any text for an origin")
            } catch PlaybackServerError.invalidOrigin(let origin) {
                #expect(origin == "player.example/page")
            }
        }
    }
}
