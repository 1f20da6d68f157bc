import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

/// Two programs with folders of their own that share a store: a catalog in PostgreSQL and media in a bucket.
struct NodePair {
    let database: String
    let bucket: ObjectServer
    let origin: OriginServer
    let one: Program
    let two: Program
    private let credentials: TemporaryDirectory

    /// - Parameter server: the server of the database.
    init(_ server: PostgresServer? = nil) throws {
        database = try (server ?? PostgresServer.shared.get()).newDatabase()
        (bucket, origin) = (try ObjectServer(), try OriginServer())
        (one, two) = (try Program(), try Program())
        credentials = try TemporaryDirectory()
        let text =
            "[default]\naws_access_key_id = \(bucket.accessKey)\n"
            + "aws_secret_access_key = \(bucket.secretKey)\n"
        try Self.writeSecret(Array(text.utf8), to: credentials.file("s3"))
    }

    static func writeSecret(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// The options of `serve` for media in the bucket.
    var media: [String] {
        [
            "--media", "s3://\(bucket.bucket)/films", "--s3-endpoint", bucket.endpoint, "--s3-credentials",
            credentials.file("s3"),
        ]
    }

    /// Starts a node.
    func start(_ program: Program, _ options: [String] = []) async throws -> Node {
        let running = try await program.start(
            ["serve", "--json", "--listen", "127.0.0.1:0", "--catalog", database] + media + options)
        return Node(program: program, running: running, ready: try Program.Ready(await running.line(0)))
    }

    /// Starts the first node, which makes the store, and then the second one, which has its key.
    func startBoth() async throws -> (Node, Node) {
        let first = try await start(one)
        try await first.untilActive()
        try shareKey()
        let second = try await start(two)
        // It stands by as soon as it passes requests on.
        try await eventually { try await second.get("/readyz").status == 200 }
        return (first, second)
    }

    /// Gives the second node the key of the first one.
    func shareKey() throws {
        try Self.writeSecret([UInt8](one.store.read("store.key")), to: two.store.file("store.key"))
    }

    /// Looks into the catalog.
    func reading<Value>(_ body: (Catalog) throws -> Value) throws -> Value {
        let catalog = try Catalog(reading: PostgresAddress(database))
        defer { catalog.close() }
        return try body(catalog)
    }

    /// The paths of all segments that the catalog has as stored, below the asset's address.
    func storedSegments(_ token: AssetToken) throws -> Set<String> {
        try reading { catalog in
            var paths: Set<String> = []
            for row in try catalog.renditions.all(of: [token])[token] ?? [] {
                for unit in try catalog.units.outlines(of: row.id) where unit.state == .stored {
                    paths.insert(
                        "\(row.name)/\(UnitJob.fileName(unit.kind, unit.number, container: row.container))")
                }
            }
            return paths
        }
    }
}

/// A program that serves a shared store, or stands by.
struct Node {
    let program: Program
    let running: RunningProgram
    let ready: Program.Ready

    func get(
        _ path: String, method: String = "GET", body: String? = nil, fields: [String] = []
    ) async throws -> Reply {
        try await blocking { [port = ready.port] in
            let client = try RawHTTPClient(port: port)
            let fields = fields.map { "\($0)\r\n" }.joined()
            let content =
                body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n\r\n\($0)" }
            client.send(
                "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(fields)"
                    + (content ?? "\r\n"))
            return Reply(client.readToEnd())
        }
    }

    func add(_ body: String) async throws -> AssetToken {
        let reply = try await get("/api/v1/assets", method: "POST", body: body)
        return try #require(AssetToken(reply.object["token"] as? String ?? ""), "\(reply.text)")
    }

    /// The values of its metrics, by name and label.
    func metrics() async throws -> [String: Double] {
        let reply = try await get("/metrics")
        #expect(reply.status == 200 && reply["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        var values: [String: Double] = [:]
        for line in reply.text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            values[String(words[0])] = Double(words[1])
        }
        return values
    }

    func isActive() async throws -> Bool {
        let ready = try await get("/readyz")
        guard ready.status == 200 else { return false }
        return try await metrics()["offline_server_node_active"] == 1
    }

    /// Returns when the node serves the store, with the seconds that this took.
    @discardableResult
    func untilActive() async throws -> Double {
        let start = ContinuousClock.now
        while try await !isActive() { try await Task.sleep(for: .milliseconds(50)) }
        let (seconds, attoseconds) = start.duration(to: .now).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    func untilComplete(_ token: AssetToken) async throws {
        while try await get("/api/v1/assets/\(token)").object["state"] as? String != "complete" {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Kills the program at once.
    func kill() async throws {
        Foundation.kill(ready.pid, SIGKILL)
        _ = try await running.end()
    }
}
