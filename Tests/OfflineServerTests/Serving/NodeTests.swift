import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite(
    "Nodes that share a store", .enabled(if: PostgresServer.runs && ObjectServer.Engine.moto.runs),
    .serialized,
    .timeLimit(.minutes(5)))
struct NodeTests {
    /// Seconds until another node serves the store after the active one was killed: its lease, and a busy machine.
    private static let bound = 30.0

    @Test("stand by behind one that is active, and say which one that is")
    func standby() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        #expect(try await second.get("/healthz").status == 200)
        let refused = try await second.get("/readyz")
        #expect(refused.status == 503 && refused["Retry-After"] != nil)
        let active = try #require(refused.object["active_node"] as? String)
        #expect(active.hasSuffix(":\(first.ready.port)"))
        for path in ["/", "/api/v1/assets", "/assets/x/master.m3u8"] {
            #expect(try await second.get(path).status == 503)
        }
        let nodes = try await first.get("/api/v1/nodes").object["nodes"] as? [[String: Any]]
        #expect(nodes?.map { $0["role"] as? String } == ["active", "standby"])
        let listed = try await pair.two.run("nodes", "--json").object["nodes"] as? [[String: Any]]
        #expect(listed?.map { $0["url"] as? String }.first == active)
        try await second.running.stop()
        try await first.running.stop()
        #expect(try pair.reading { try $0.leases.nodes() } == [])
    }

    @Test("tell a monitor which one is active, how many stand by, and how often the store has changed hands")
    func metrics() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let figures = try await first.metrics()
        #expect(figures["offline_server_node_active"] == 1 && figures["offline_server_store_epoch"] == 1)
        #expect(figures["offline_server_nodes{role=\"active\"}"] == 1)
        #expect(figures["offline_server_nodes{role=\"standby\"}"] == 1)
        let rest = figures["offline_server_lease_seconds"] ?? 0
        #expect(rest > 0 && rest <= 7)
        #expect(try await second.metrics() == ["offline_server_node_active": 0])
        try await first.running.stop()
        try await second.untilActive()
        let later = try await second.metrics()
        #expect(later["offline_server_node_active"] == 1 && later["offline_server_store_epoch"] == 2)
        #expect(later["offline_server_nodes{role=\"standby\"}"] == 0)
        try await second.running.stop()
    }

    @Test("continue the downloads of a killed one, and serve everything that it had acknowledged")
    func kill() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        pair.origin.limitLine(bytesPerSecond: 60_000)
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        while try pair.storedSegments(token).count < 3 { try await Task.sleep(for: .milliseconds(20)) }
        let kept = try pair.storedSegments(token)
        try await first.kill()
        let before = try pair.storedSegments(token)
        #expect(before.isSuperset(of: kept))
        pair.origin.forgetRequests()
        #expect(try await second.untilActive() < Self.bound)
        for (path, bytes, _) in SampleStream.served where before.contains(path) {
            let reply = try await second.get("/assets/\(token)/\(path)")
            #expect(reply.status == 200 && reply.isWhole && reply.body == bytes, "\(path)")
        }
        pair.origin.limitLine(bytesPerSecond: 100_000_000)
        try await second.untilComplete(token)
        for (path, bytes, _) in SampleStream.served {
            let reply = try await second.get("/assets/\(token)/\(path)")
            #expect(reply.status == 200 && reply.isWhole && reply.body == bytes, "\(path)")
        }
        // Acknowledged units are not fetched again.
        let places = ["video/": "video-360p/", "audio/": "audio-en/", "text/": "subtitles-en/"]
        for request in pair.origin.mediaRequests {
            let path = places.reduce(String(request.path.dropFirst())) {
                $0.replacingOccurrences(of: $1.key, with: $1.value)
            }
            #expect(!before.contains(path), "\(request.path) was fetched again")
        }
        try await second.running.stop()
        pair.origin.stop()
    }

    @Test("change nothing after they were stopped for longer than their lease, and end")
    func stopped() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        pair.origin.limitLine(bytesPerSecond: 20_000)
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        Foundation.kill(first.ready.pid, SIGSTOP)
        #expect(try await second.untilActive() < Self.bound)
        // The other one has the asset now, whatever the first one still wanted to write.
        let paused = try await second.get(
            "/api/v1/assets/\(token)/pause", method: "POST", body: "{}")
        #expect(paused.status == 200)
        let (units, event) = (
            try pair.storedSegments(token), try pair.reading { try $0.events.lastEvent() }
        )
        Foundation.kill(first.ready.pid, SIGCONT)
        let outcome = try await first.running.end()
        #expect(outcome.status == 75 && outcome.errors.contains("stands by"), "\(outcome.errors)")
        #expect(try pair.storedSegments(token) == units)
        #expect(try pair.reading { try $0.events.lastEvent() } == event)
        #expect(try await second.isActive())
        try await second.running.stop()
        pair.origin.stop()
    }

    @Test("release the store on SIGTERM, so that the next one serves at once what exists only once")
    func handover() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let text = Data("1\n00:00:01,000 --> 00:00:02,000\nFjord\n".utf8)
        try text.write(to: URL(filePath: pair.one.store.file("own.srt")))
        let token = try await first.add(
            #"""
            {"url": "\#(SampleStream().publish(on: pair.origin))", "artwork": "\#(pair.origin.url("/poster.jpg"))",
             "subtitle_files": [{"source": "\#(pair.one.store.file("own.srt"))", "language": "nb"}]}
            """#)
        try await first.untilComplete(token)
        let paths = try await served(token, by: first)
        pair.origin.stop()
        try await first.running.stop()
        #expect(try await second.untilActive() < 8)
        for (path, body) in paths {
            let reply = try await second.get(path)
            #expect(reply.status == 200 && reply.isWhole && reply.body == body, "\(path): \(reply.status)")
        }
        let asset = try await second.get("/api/v1/assets/\(token)").object
        #expect(
            (asset["playable"] as? [String: Any])?["offline"] as? Bool == true
                && asset["health"] as? String == "sound")
        let verified = try await second.get("/api/v1/assets/\(token)/verify", method: "POST", body: "{}")
        #expect(verified.object["sound"] as? Bool == true, "\(verified.text)")
        // A node that comes back stands by behind the other one.
        let again = try await pair.start(pair.one)
        #expect(try await !again.isActive())
        try await again.running.stop()
        try await second.running.stop()
    }

    /// Everything that players get of an asset.
    private func served(_ token: AssetToken, by node: Node) async throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        let names =
            ["master.m3u8", "poster", "subtitles/en.vtt", "subtitles/nb.vtt"]
            + SampleStream.served.map(\.path)
        for name in names {
            let path = "/assets/\(token)/\(name)"
            let reply = try await node.get(path)
            #expect(reply.status == 200 && reply.isWhole, "\(path): \(reply.status)")
            found[path] = reply.body
        }
        // Renditions that the multivariant playlist names.
        let master = String(decoding: found["/assets/\(token)/master.m3u8"] ?? [], as: UTF8.self)
        for rendition in ["video-360p", "audio-en", "subtitles-en", "subtitles-nb"]
        where master.contains("\(rendition)/media.m3u8") {
            let path = "/assets/\(token)/\(rendition)/media.m3u8"
            found[path] = try await node.get(path).body
        }
        #expect(found.keys.count { $0.hasSuffix("media.m3u8") } > 2, "\(master)")
        return found
    }

    @Test("are not started without the common secrets, and show nobody the password")
    func refusals() async throws {
        let pair = try NodePair()
        let lacking = try await pair.one.run("serve", "--catalog", pair.database)
        #expect(lacking.status == 1 && lacking.errors.contains("add --media"), "\(lacking.errors)")
        let first = try await pair.start(pair.one)
        try await first.untilActive()
        // Without the key, and with another one.
        for key in [nil, [UInt8](repeating: 7, count: 32)] {
            if let key { try NodePair.writeSecret(key, to: pair.two.store.file("store.key")) }
            let foreign = try await pair.two.run(
                ["serve", "--listen", "127.0.0.1:0", "--catalog", pair.database] + pair.media)
            #expect(foreign.status == 1 && foreign.errors.contains("store.key"), "\(foreign.errors)")
        }
        try pair.shareKey()
        try NodePair.writeSecret(Array("another\n".utf8), to: pair.two.store.file("api-token"))
        let foreign = try await pair.two.run(
            ["serve", "--listen", "127.0.0.1:0", "--catalog", pair.database] + pair.media)
        #expect(foreign.status == 1 && foreign.errors.contains("api-token"), "\(foreign.errors)")
        // Commands never make a store beside the shared one.
        let alone = try await pair.two.run("serve", "--listen", "127.0.0.1:0")
        #expect(alone.status == 1 && alone.errors.contains("--catalog postgresql://"), "\(alone.errors)")
        #expect(!FileManager.default.fileExists(atPath: pair.two.store.file("catalog.db")))
        try await first.running.stop()
    }

    @Test("with a store of their own are not made nodes, and lose nothing of it")
    func ownStore() async throws {
        let pair = try NodePair()
        let (program, token) = try await Program.withSample()
        let refused = try await program.run(
            ["serve", "--listen", "127.0.0.1:0", "--catalog", pair.database] + pair.media)
        #expect(refused.status == 1 && refused.errors.contains("--store"), "\(refused.errors)")
        #expect(try await program.run("playable", token.description).status == 0)
    }

    @Test("wait for a database that is away, and report this without its password")
    func away() async throws {
        let pair = try NodePair()
        let secret = "Tr0ub4dor"
        let running = try await pair.one.start(
            [
                "serve", "--json", "--listen", "127.0.0.1:0", "--catalog",
                "postgresql://store:\(secret)@127.0.0.1:1/films",
            ]
                + pair.media)
        let node = Node(
            program: pair.one, running: running, ready: try Program.Ready(await running.line(0)))
        var refused = try await node.get("/readyz")
        while !refused.text.contains("PostgreSQL") {
            try await Task.sleep(for: .milliseconds(50))
            refused = try await node.get("/readyz")
        }
        #expect(refused.status == 503 && !refused.text.contains(secret), "\(refused.text)")
        let outcome = try await running.stop()
        #expect(outcome.errors.contains("can't be reached") && !outcome.errors.contains(secret))
        #expect(!outcome.output.contains(secret))
    }
}
