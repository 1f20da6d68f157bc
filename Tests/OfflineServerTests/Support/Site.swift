import AssetStore
import Foundation
import Logging
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

/// The product in this process: a store in a folder of its own, served on a port of its own.
struct Site: Sendable {
    let folder: TemporaryDirectory
    let server: SiteServer
    let log: CollectedLog

    /// Asks for `target` on a connection of its own.
    func get(_ target: String, _ fields: [String: String] = [:]) async throws -> Reply {
        try await request("GET", target, fields)
    }

    /// Sends a request on a connection of its own and reads until it closes.
    func request(
        _ method: String, _ target: String, _ fields: [String: String] = [:], body: String = ""
    ) async throws -> Reply {
        let text = message(method, target, fields, body: body)
        return try await blocking { [server] in
            let client = try RawHTTPClient(port: server.port)
            client.send(text)
            let bytes = client.readToEnd()
            #expect(Self.handsOutKeys(target) || !Secret.isIn(bytes), "\(target)")
            return Reply(bytes, toHead: method == "HEAD")
        }
    }

    /// Whether the request is for keys; no other response may hold a byte of one.
    private static func handsOutKeys(_ target: String) -> Bool {
        target.hasSuffix("/clearkey") || target.contains("/keys/") && !target.hasPrefix("/api/")
    }

    /// No byte of a key is in a file of the store or in the log.
    func expectNoKeys() {
        #expect(Secret.traces(in: folder.path) == [])
        #expect(!Secret.isIn(log.text))
    }

    /// The bytes of a request.
    func message(_ method: String, _ target: String, _ fields: [String: String], body: String = "") -> String
    {
        var all = ["Host": "127.0.0.1:\(server.port)", "Connection": "close"]
        if !body.isEmpty || method == "POST" { all["Content-Length"] = "\(body.utf8.count)" }
        all.merge(fields) { $1 }
        let lines = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "\(method) \(target) HTTP/1.1\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n\(body)"
    }

    /// A change asked for by a program.
    func post(_ target: String, _ body: String, _ fields: [String: String] = [:]) async throws -> Reply {
        try await request(
            "POST", target, ["Content-Type": "application/json"].merging(fields) { $1 }, body: body)
    }

    /// Asks for the download of a stream, and waits until its playlists have been read.
    func download(_ url: String) async throws -> AssetToken {
        let reply = try await post("/api/v1/assets", #"{"url": "\#(url)"}"#)
        let token = try #require((reply.object["token"] as? String).flatMap { AssetToken($0) })
        await server.store.intake.untilResolved(token, patience: .seconds(60))
        return token
    }

    /// Imports the sample stream.
    func importSample(_ name: String = "sample") async throws -> AssetToken {
        let source = try TemporaryDirectory()
        try SampleStream().write(to: source)
        return try await server.store.imports.add(FilePath(source.path), name: name).token
    }

    /// The path of a file of an asset.
    func file(_ token: AssetToken, _ name: String) -> String { folder.file("assets/\(token)/\(name)") }
}

/// An open store with a server.
struct SiteServer: Sendable {
    let store: OfflineStore
    let server: PlaybackServer

    struct Configuration {
        var root: FilePath
        var engine = OfflineStore.Configuration()
        var server = PlaybackServer.Configuration()
        var log: Logger
    }

    static func open(_ configuration: Configuration) async throws -> SiteServer {
        let store = try OfflineStore(
            root: configuration.root, configuration: configuration.engine, log: configuration.log)
        return SiteServer(
            store: store, server: try await PlaybackServer.start(serving: store, configuration.server))
    }

    var port: UInt16 { server.port }
    var url: String { server.address }

    func start() async { await store.start() }

    func stop() async {
        await server.stop()
        await store.stop()
    }
}

/// Runs `body` with a server that is gone afterwards.
func withSite<Value>(
    allowing origins: [String] = [], in folder: TemporaryDirectory? = nil,
    _ configure: (inout SiteServer.Configuration) -> Void = { _ in },
    _ body: (Site) async throws -> Value
) async throws -> Value {
    let folder = try folder ?? TemporaryDirectory()
    let log = CollectedLog()
    var configuration = SiteServer.Configuration(root: FilePath(folder.path), log: log.logger)
    configuration.server.address.port = 0
    configuration.server.allowedOrigins = origins
    configure(&configuration)
    let site = Site(folder: folder, server: try await SiteServer.open(configuration), log: log)
    await site.server.start()
    do {
        let value = try await body(site)
        await site.server.stop()
        site.expectNoKeys()
        return value
    } catch {
        await site.server.stop()
        throw error
    }
}

/// Runs `body` with a server that has the sample stream, complete.
func withSample<Value>(
    allowing origins: [String] = [], _ body: (Site, AssetToken) async throws -> Value
) async throws -> Value {
    try await withSite(allowing: origins) { site in try await body(site, try await site.importSample()) }
}
