import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "doctor of a shared store", .enabled(if: PostgresServer.runs && ObjectServer.Engine.moto.runs),
    .serialized, .timeLimit(.minutes(3)))
struct SharedDoctorTests {
    /// The findings, by the names of their checks.
    private func findings(
        _ pair: NodePair, _ program: Program, _ more: [String] = []
    ) async throws -> (status: Int32, ok: [String: Bool], detail: [String: String]) {
        let outcome = try await program.run(["doctor", "--cluster", "--json"] + more)
        var (ok, detail) = ([String: Bool](), [String: String]())
        for item in outcome.array {
            let check = item["check"] as? String ?? ""
            ok[check] = (ok[check] ?? true) && item["ok"] as? Bool == true
            detail[check] = "\(detail[check] ?? "")\(item["detail"] as? String ?? "")"
        }
        return (outcome.status, ok, detail)
    }

    @Test("finds nothing wrong where two nodes run, and knows the database by the node's folder")
    func sound() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let found = try await findings(pair, pair.two, pair.media)
        for check in [
            "database", "clocks", "tables", "collation", "shared key", "nodes", "node URLs", "bucket",
        ] {
            #expect(found.ok[check] == true, "\(check): \(found.detail[check] ?? "missing")")
        }
        #expect(found.detail["database"]?.contains("PostgreSQL ") == true)
        #expect(found.detail["nodes"]?.contains("is active") == true)
        #expect(found.detail["nodes"]?.contains("stands by") == true)
        // The server that tests share does not flush to the disk.
        #expect(found.ok["durability"] == false && found.detail["durability"]?.contains("fsync") == true)
        try await second.running.stop()
        let alone = try await findings(pair, pair.one, pair.media)
        #expect(alone.detail["nodes"]?.contains("none stands by") == true, "\(alone.detail)")
        try await first.running.stop()
    }

    @Test("says what is wrong with each part, and what to do")
    func wrong() async throws {
        let pair = try NodePair()
        let first = try await pair.start(pair.one)
        try await first.untilActive()
        let server = try PostgresServer.shared.get()
        let name = pair.database.split(separator: "/").last ?? ""
        try server.sql("ALTER DATABASE \(name) SET synchronous_commit = off")
        try server.sql("ALTER TABLE asset ALTER COLUMN name TYPE text COLLATE \"default\"", in: pair.database)
        try NodePair.writeSecret([UInt8](repeating: 7, count: 32), to: pair.two.store.file("store.key"))
        let found = try await findings(pair, pair.two, ["--catalog", pair.database])
        #expect(found.status == 1)
        #expect(found.detail["durability"]?.contains("synchronous_commit") == true, "\(found.detail)")
        #expect(found.ok["collation"] == false && found.detail["collation"]?.contains("asset.name") == true)
        #expect(found.ok["shared key"] == false && found.detail["shared key"]?.contains("store.key") == true)
        #expect(found.ok["bucket"] == false && found.detail["bucket"]?.contains("--media") == true)
        try server.sql("INSERT INTO migration (name) VALUES ('99')", in: pair.database)
        let newer = try await findings(pair, pair.two, ["--catalog", pair.database])
        #expect(newer.ok["tables"] == false, "\(newer.detail)")
        try await first.kill()
    }

    @Test("says which node can't be reached at its URL, or is answered by another one; so do the nodes")
    func urls() async throws {
        let pair = try NodePair()
        let first = try await pair.start(pair.one)
        try await first.untilActive()
        let server = try PostgresServer.shared.get()
        let url = "http://127.0.0.1:\(first.ready.port)"
        for (id, url) in [("lost", "http://127.0.0.1:1"), ("wrong", url)] {
            try server.sql(
                """
                INSERT INTO node (id, url, lease_until)
                VALUES ('\(id)', '\(url)', clock_timestamp() + interval '1 hour')
                """, in: pair.database)
        }
        let found = try await findings(pair, pair.one, pair.media)
        let detail = found.detail["node URLs"] ?? ""
        #expect(found.ok["node URLs"] == false)
        #expect(detail.contains("can't reach the node at http://127.0.0.1:1"), "\(detail)")
        #expect(detail.contains("\(url) is the --node-url of a node, and another"), "\(detail)")
        try await Task.sleep(for: .seconds(16))
        let outcome = try await first.running.stop()
        #expect(outcome.errors.contains("can't reach the node at http://127.0.0.1:1"), "\(outcome.errors)")
        #expect(outcome.errors.contains("\(url) is the --node-url"), "\(outcome.errors)")
    }

    @Test("fails where no shared store is named, or its database is away, without its password")
    func away() async throws {
        let pair = try NodePair()
        let nameless = try await findings(pair, pair.one)
        #expect(nameless.status == 1 && nameless.detail["shared store"]?.contains("--catalog") == true)
        let secret = "Tr0ub4dor"
        let away = try await findings(
            pair, pair.one, ["--catalog", "postgresql://store:\(secret)@127.0.0.1:1/films"])
        #expect(away.ok["database"] == false, "\(away.detail)")
        #expect(away.detail["database"]?.contains(secret) == false)
        let plain = try await pair.one.run("doctor", "--json")
        #expect(plain.array.allSatisfy { $0["check"] as? String != "database" })
    }
}
