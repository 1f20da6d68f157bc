import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "migrate", .enabled(if: PostgresServer.runs && ObjectServer.Engine.moto.runs), .serialized,
    .timeLimit(.minutes(6)))
struct MigrationCommandTests {
    /// Everything that players get of an asset, and what the API says of it.
    private struct Served: Equatable {
        var bodies: [String: [UInt8]] = [:]
        var position: Double?
        var tags: [String]?
        var event: Int?
    }

    private static let names =
        ["master.m3u8", "poster", "subtitles/nb.vtt", "video-360p/media.m3u8", "audio-en/media.m3u8"]
        + SampleStream.served.map(\.path)

    private func served(_ token: AssetToken, by node: Node) async throws -> Served {
        var served = Served()
        for name in Self.names {
            let reply = try await node.get("/assets/\(token)/\(name)")
            #expect(reply.status == 200 && reply.isWhole, "\(name): \(reply.status)")
            served.bodies[name] = reply.body
        }
        let asset = try await node.get("/api/v1/assets/\(token)").object
        served.tags = asset["tags"] as? [String]
        served.position = asset["position"] as? Double
        #expect((asset["playable"] as? [String: Any])?["offline"] as? Bool == true)
        served.event = try await node.get("/api/v1/assets").object["last_event"] as? Int
        return served
    }

    /// Serves the program's own store.
    private func serve(_ program: Program) async throws -> Node {
        let running = try await program.start(["serve", "--json", "--listen", "127.0.0.1:0"])
        return Node(program: program, running: running, ready: try Program.Ready(await running.line(0)))
    }

    /// A store of the first program with one asset, as it is served.
    private func made(_ pair: NodePair) async throws -> (AssetToken, Served) {
        let node = try await serve(pair.one)
        let text = pair.one.store.file("own.srt")
        try Data("1\n00:00:01,000 --> 00:00:02,000\nFjord\n".utf8).write(to: URL(filePath: text))
        let token = try await node.add(
            #"""
            {"url": "\#(SampleStream().publish(on: pair.origin))", "artwork": "\#(pair.origin.url("/poster.jpg"))",
             "tags": ["kids"], "subtitle_files": [{"source": "\#(text)", "language": "nb"}]}
            """#)
        try await node.untilComplete(token)
        pair.origin.stop()
        let changed = try await node.get(
            "/api/v1/assets/\(token)/position", method: "PUT", body: #"{"position": 3.5}"#)
        #expect(changed.status < 300, "\(changed.text)")
        let found = try await served(token, by: node)
        try await node.running.stop()
        return (token, found)
    }

    private func migrate(_ pair: NodePair, _ program: Program, _ more: String...) async throws -> Outcome {
        try await program.run(["migrate", "--json", "--catalog", pair.database] + pair.media + more)
    }

    @Test("brings a store to the cluster, where it is served as before, and back to another folder")
    func roundTrip() async throws {
        let pair = try NodePair()
        let (token, before) = try await made(pair)
        let moved = try await migrate(pair, pair.one)
        #expect(moved.status == 0 && moved.object["assets"] as? Int == 1, "\(moved.errors)")
        let refused = try await pair.one.run("serve", "--listen", "127.0.0.1:0")
        #expect(
            refused.status == 1 && refused.errors.contains("was moved to postgresql://"), "\(refused.errors)")
        try pair.shareKey()
        let node = try await pair.start(pair.two)
        try await node.untilActive()
        #expect(try await served(token, by: node) == before)
        // The same token opens it.
        #expect(try pair.two.store.read("api-token") == pair.one.store.read("api-token"))
        let busy = try await pair.two.run(
            ["--store", pair.two.store.file("third"), "migrate", "--back", "--catalog", pair.database]
                + pair.media)
        #expect(busy.status == 75 && busy.errors.contains("is active"), "\(busy.errors)")
        try await node.running.stop()
        let third = try Program()
        let lacking = try await migrate(pair, third, "--back")
        #expect(lacking.status == 1 && lacking.errors.contains("store.key"), "\(lacking.errors)")
        try NodePair.writeSecret([UInt8](pair.one.store.read("store.key")), to: third.store.file("store.key"))
        let back = try await migrate(pair, third, "--back")
        #expect(back.status == 0 && back.object["back"] as? Bool == true, "\(back.errors)")
        let last = try await serve(third)
        #expect(try await served(token, by: last) == before)
        try await last.running.stop()
        let gone = try await pair.two.run(
            ["serve", "--listen", "127.0.0.1:0", "--catalog", pair.database] + pair.media)
        #expect(gone.status == 1 && gone.errors.contains(third.store.path), "\(gone.errors)")
    }

    @Test(
        "continues when it was killed, and is never served half", arguments: ["media", "noted", "rows"],
        [false, true])
    func killed(at point: String, isBack: Bool) async throws {
        let pair = try NodePair()
        let (token, before) = try await made(pair)
        var program = pair.one
        var more: [String] = []
        if isBack {
            #expect(try await migrate(pair, pair.one).status == 0)
            program = pair.two
            more = ["--back"]
            try pair.shareKey()
        }
        let arguments = ["migrate", "--catalog", pair.database] + pair.media + more
        let running = try await program.start(
            arguments, under: ["env", "OFFLINE_SERVER_MIGRATION_KILL=\(point)"])
        let killed = try await running.end()
        #expect(killed.status != 0)
        // The new place; after its transaction it is whole.
        let serve = ["serve", "--listen", "127.0.0.1:0"]
        if point != "rows" || isBack {
            let shared = serve + ["--catalog", pair.database] + pair.media
            let half = try await (isBack ? program.run(serve) : starting(pair, shared))
            #expect(half.status == 1 && half.errors.contains("run the same command again"), "\(half.errors)")
        }
        if !isBack, point != "media" {
            let old = try await pair.one.run(serve)
            #expect(old.status == 1 && old.errors.contains("run the same command again"), "\(old.errors)")
        }
        let again = try await program.run(arguments)
        #expect(again.status == 0, "\(again.errors)")
        if isBack {
            let node = try await self.serve(program)
            #expect(try await served(token, by: node) == before)
            try await node.running.stop()
        } else {
            try pair.shareKey()
            let node = try await pair.start(pair.two)
            try await node.untilActive()
            #expect(try await served(token, by: node) == before)
            try await node.running.stop()
        }
    }

    /// A node that the lease of the killed migration keeps waiting for some seconds.
    private func starting(_ pair: NodePair, _ arguments: [String]) async throws -> Outcome {
        let other = try Program()
        try NodePair.writeSecret([UInt8](pair.one.store.read("store.key")), to: other.store.file("store.key"))
        return try await other.run(arguments)
    }

    @Test("says which credentials are wrong, and changes nothing")
    func credentials() async throws {
        let pair = try NodePair()
        let (token, _) = try await made(pair)
        let wrong = pair.one.store.file("wrong")
        try NodePair.writeSecret(
            Array("[default]\naws_access_key_id = none\n".utf8), to: wrong)
        let bucket = try await pair.one.run(
            ["migrate", "--catalog", pair.database] + pair.media.dropLast() + [wrong])
        #expect(bucket.status == 1 && bucket.errors.contains("aws_secret_access_key"), "\(bucket.errors)")
        let secret = "Tr0ub4dor"
        let database = try await pair.one.run(
            ["migrate", "--catalog", "postgresql://store:\(secret)@127.0.0.1:1/films"] + pair.media)
        #expect(database.status == 1 && database.errors.contains("can't be reached"), "\(database.errors)")
        #expect(!database.errors.contains(secret))
        let nameless = try await pair.one.run("migrate", "--catalog", pair.database)
        #expect(nameless.status == 64 && nameless.errors.contains("--media"), "\(nameless.errors)")
        let node = try await serve(pair.one)
        #expect(try await node.get("/assets/\(token)/master.m3u8").status == 200)
        try await node.running.stop()
    }
}
