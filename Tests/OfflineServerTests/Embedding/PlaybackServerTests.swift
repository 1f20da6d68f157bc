import AssetStore
import Foundation
import OfflineServer
import TestSupport
import Testing
import Transfers

@Suite("A server in an app", .fewAtOnce, .timeLimit(.minutes(2)))
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
        let store = try await OfflineStore.open(at: URL(filePath: folder.path, directoryHint: .isDirectory))
        let stream = try #require(URL(string: SampleStream().publish(on: origin)))
        let download = try await store.download(DownloadRequest(url: stream))
        for try await _ in download.progress {}
        origin.stop()
        do { try await body(store, download.id) } catch {
            await store.close()
            throw error
        }
        await store.close()
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
            #expect(try await store.asset(token).state == .complete)
            let second = try await PlaybackServer.start(serving: store, anyPort())
            #expect(try await get(second.playbackURL(for: token)).status == 200)
            await second.stop()
        }
    }

    @Test("that has ended is withdrawn for other processes")
    func withdrawn() async throws {
        try await withDownload { store, token in
            let root = store.folder.path
            func told() -> String? {
                guard let file = FileManager.default.contents(atPath: "\(root)/engine.lock") else {
                    return nil
                }
                return (try? JSONSerialization.jsonObject(with: file) as? [String: Any])?["url"] as? String
            }
            let first = try await PlaybackServer.start(serving: store, anyPort())
            #expect(told() == "http://127.0.0.1:\(first.port)")
            var second: PlaybackServer? = try await PlaybackServer.start(serving: store, anyPort())
            #expect(told() == "http://127.0.0.1:\(second?.port ?? 0)")
            second = nil
            #expect(told() == "http://127.0.0.1:\(first.port)")
            await first.stop()
            #expect(told() == nil)
        }
    }

    @Test("whose store was closed first does not remove the address of the next server")
    func closedBefore() async throws {
        let root = URL(filePath: folder.path, directoryHint: .isDirectory)
        let former = try await OfflineStore.open(at: root)
        let left = try await PlaybackServer.start(serving: former, anyPort())
        await former.close()
        let store = try await OfflineStore.open(at: root)
        let server = try await PlaybackServer.start(serving: store, anyPort())
        await left.stop()
        let told = try String(contentsOfFile: "\(folder.path)/engine.lock", encoding: .utf8)
        #expect(told.contains(":\(server.port)"))
        await server.stop()
        await store.close()
    }

    @Test("clears its caches after a change, with another server beside it")
    func severalServers() async throws {
        try await withDownload { store, token in
            let servers = [
                try await PlaybackServer.start(serving: store, anyPort()),
                try await PlaybackServer.start(serving: store, anyPort()),
            ]
            let segments = servers.map {
                $0.playbackURL(for: token).deletingLastPathComponent().appending(path: "video-360p/0.ts")
            }
            for segment in segments { #expect(try await get(segment).status == 200) }
            try await store.remove(token)
            for segment in segments { #expect(try await get(segment).status == 404) }
            for server in servers { await server.stop() }
        }
    }

    @Test("without references closes its port")
    func released() async throws {
        try await withDownload { store, token in
            var server: PlaybackServer? = try await PlaybackServer.start(serving: store, anyPort())
            let url = try #require(server?.playbackURL(for: token))
            #expect(try await get(url).status == 200)
            server = nil
            await #expect(throws: TransferError.self) { try await get(url) }
        }
    }

    @Test("that demands the token has it in the addresses for players, and refuses requests without it")
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

    @Test("whose port is in use reports this, or takes another one if permitted")
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

    @Test("with an invalid allowed origin does not start")
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
