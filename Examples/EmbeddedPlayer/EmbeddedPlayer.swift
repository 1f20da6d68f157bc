import AssetStore
import Foundation
import OfflineServer

/// Downloads a stream, plays it during the download, and finally prints whether it plays offline.
///
///     EmbeddedPlayer FOLDER URL [PLAYER [ARGUMENT…]]
///
/// `PLAYER` is started with the playback URL as its last argument. Without one the URL is printed.
@main
struct EmbeddedPlayer {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2, let stream = URL(string: arguments[1]) else {
            print("usage: EmbeddedPlayer FOLDER URL [PLAYER [ARGUMENT…]]")
            exit(64)
        }
        try await watch(stream, in: URL(filePath: arguments[0])) { url in
            try play(url, with: Array(arguments.dropFirst(2)))
        }
    }

    // snippet: watch
    static func watch(_ stream: URL, in folder: URL, play: @Sendable (URL) throws -> Void) async throws {
        let store = try await OfflineStore.open(at: folder)
        var configuration = PlaybackServer.Configuration()
        configuration.fallsBackToFreePort = true
        let server = try await PlaybackServer.start(serving: store, configuration)

        var request = DownloadRequest(url: stream)
        request.video = .maximumHeight(1080)
        request.audio = ["en", "de"]
        let download = try await store.download(request)
        try play(server.playbackURL(for: download.id))  // plays at once, and by the same URL for good

        for try await step in download.progress {  // ends by itself
            print("\(Int(step.fraction * 100)) %, \(Int(step.bytesPerSecond ?? 0)) bytes/s")
        }
        let asset = try await store.asset(download.id)
        print(asset.isPlayableOffline ? "plays offline" : "not whole: \(asset.problems.map(\.kind))")

        await server.stop()
        await store.close()
    }
    // end

    private static func play(_ url: URL, with command: [String]) throws {
        guard !command.isEmpty else { return print("playing at \(url)") }
        let player = Process()
        player.executableURL = URL(filePath: "/usr/bin/env")
        player.arguments = command + [url.absoluteString]
        try player.run()
    }
}
