import AssetStore
import Foundation
import Locking
import OfflineServer
import SystemPackage
import TestSupport
import Testing

@Suite("The README's example of a Swift program", .fewAtOnce, .timeLimit(.minutes(2)))
struct ExampleTests {
    // example
    func watch(_ stream: String, in folder: FilePath, play: (URL) async throws -> Void) async throws {
        let store = try OfflineStore(root: folder)
        var settings = PlaybackServer.Configuration()
        settings.fallsBackToFreePort = true
        let server = try await PlaybackServer.start(serving: store, settings)
        await store.start()

        let asset = try await store.add(AssetRequest(url: stream))
        try await play(server.playbackURL(for: asset.token))

        await server.stop()
        await store.stop()
    }
    // end

    @Test("runs as it stands") func runs() async throws {
        let origin = try OriginServer()
        defer { origin.stop() }
        let folder = try TemporaryDirectory()
        let played = Lock<URL?>(nil)
        try await watch(SampleStream().publish(on: origin), in: FilePath(folder.path)) { url in
            let client = try RawHTTPClient(port: UInt16(try #require(url.port)))
            client.send("GET \(url.path) HTTP/1.1\r\nHost: 127.0.0.1:\(url.port ?? 0)\r\n\r\n")
            #expect(client.readResponse().head.contains("200"))
            played.withLock { $0 = url }
        }
        #expect(played.withLock(\.self)?.lastPathComponent == "master.m3u8")
    }

    @Test("is in the README, line for line") func text() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let example = try #require(
            source.split(separator: "    // example\n").dropFirst().first?.split(separator: "    // end\n")
                .first)
        let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.hasPrefix("    ") ? $0.dropFirst(4) : $0
        }
        let readme = URL(fileURLWithPath: #filePath).appending(path: "../../../../README.md").standardized
        #expect(try String(contentsOf: readme, encoding: .utf8).contains(lines.joined(separator: "\n")))
    }
}
