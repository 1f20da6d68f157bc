import AssetStore
import Foundation
import OfflineServer

/// A server with addresses of its own beside those for players. It ends when its standard input does.
///
///     CustomRoutes FOLDER
@main
struct CustomRoutes {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            print("usage: CustomRoutes FOLDER")
            exit(64)
        }
        let folder = URL(filePath: CommandLine.arguments[1])
        // snippet: routes
        let store = try await OfflineStore.open(at: folder)
        var configuration = PlaybackServer.Configuration()
        configuration.fallsBackToFreePort = true
        configuration.routes = [
            CustomRoute("/shelf") { request in
                do { return try await shelf(request, store) } catch {
                    return .text("\(error)\n", status: 500)
                }
            }
        ]
        let server = try await PlaybackServer.start(serving: store, configuration)
        let address = server.url(forPath: "/shelf")
        // end
        FileHandle.standardOutput.write(Data("the shelf is at \(address)\n".utf8))
        while readLine() != nil {}
        await server.stop()
        await store.close()
    }

    // snippet: shelf
    /// Lists the assets of the store, and accepts addresses to download.
    @Sendable static func shelf(
        _ request: CustomRoute.Request, _ store: OfflineStore
    ) async throws -> CustomRoute.Response {
        switch request.method {
        case "GET", "HEAD":
            let assets = try await store.assets()
            return try .json(assets.map { ["title": $0.name, "id": $0.id.description] })
        case "POST":
            guard let url = URL(string: String(decoding: request.body, as: UTF8.self)) else {
                return .text("that is no address\n", status: 400)
            }
            let download = try await store.download(DownloadRequest(url: url))
            return .text("\(download.id)\n", status: 201)
        default:
            return CustomRoute.Response(status: 405, headers: ["Allow": "GET, HEAD, POST"])
        }
    }
    // end
}
