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

    @Test("on standby pass requests on to the active node")
    func standby() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        for path in ["/healthz", "/readyz", "/"] {
            #expect(try await second.get(path).status == 200, "\(path)")
        }
        #expect(try await second.get("/assets/x/master.m3u8").status == 404)
        let nodes = try await second.get("/api/v1/nodes").object["nodes"] as? [[String: Any]]
        #expect(nodes?.map { $0["role"] as? String } == ["active", "standby"])
        let listed = try await pair.two.run("nodes", "--json").object["nodes"] as? [[String: Any]]
        let active = try #require(listed?.first?["url"] as? String)
        #expect(active.hasSuffix(":\(first.ready.port)"))
        // A request that was passed on before goes no further: two nodes never send it to and fro.
        let again = try await second.get("/readyz", fields: ["Offline-Server-Node: x"])
        #expect(again.status == 503 && again["Retry-After"] != nil)
        #expect(again.object["active_node"] as? String == active)
        try await second.running.stop()
        try await first.running.stop()
        #expect(try pair.reading { try $0.nodes.all() } == [])
    }

    @Test("serve everything alike, whichever of them a client asks")
    func anyNode() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let token = try await second.add(
            #"{"url": "\#(SampleStream().publish(on: pair.origin))", "artwork": "\#(pair.origin.url("/poster.jpg"))"}"#
        )
        let asset = try await second.get("/api/v1/assets/\(token)").object
        // Addresses begin with the name that the client knows.
        let address = try #require(asset["playlist_url"] as? String)
        #expect(address.hasPrefix("http://127.0.0.1:\(second.ready.port)/"))
        try await first.untilComplete(token)
        for (path, bytes, _) in SampleStream.served {
            let whole = try await second.get("/assets/\(token)/\(path)")
            #expect(whole.status == 200 && whole.isWhole && whole.body == bytes, "\(path)")
            let part = try await second.get("/assets/\(token)/\(path)", fields: ["Range: bytes=10-19"])
            #expect(part.status == 206 && part.body == Array(bytes[10..<20]), "\(path)")
        }
        for path in ["master.m3u8", "poster", "video-360p/media.m3u8"] {
            let (one, other) = (
                try await first.get("/assets/\(token)/\(path)"),
                try await second.get("/assets/\(token)/\(path)")
            )
            #expect(one.status == 200 && one.body == other.body && one["ETag"] == other["ETag"], "\(path)")
        }
        try await Self.expectKeptAnswersAlike(token, first, second)
        let figures = try await second.metrics()
        #expect(figures["offline_server_node_requests_total{answer=\"shared\"}"] ?? 0 > 0)
        // Each segment came from the bucket, and not through the active node.
        #expect(figures["offline_server_node_objects_total"] == Double(SampleStream.served.count))
        // Strangers learn no names of objects.
        let stranger = try await first.get(
            "/assets/\(token)/\(SampleStream.served[0].path)?object", fields: ["Offline-Server-Node: x"])
        #expect(stranger.body == SampleStream.served[0].bytes && stranger["Offline-Server-Object"] == nil)
        let through = try await second.get(
            "/assets/\(token)/\(SampleStream.served[0].path)?object",
            fields: ["Offline-Server-Demand: object"])
        #expect(through.body == SampleStream.served[0].bytes && through["Offline-Server-Object"] == nil)
        // What is removed is not given from the node's own disk for longer than a moment.
        let segment = "/assets/\(token)/\(SampleStream.served[0].path)"
        #expect(try await second.get("/api/v1/assets/\(token)", method: "DELETE").status < 300)
        try await eventually { try await second.get(segment).status == 404 }
        try await second.running.stop()
        try await first.running.stop()
        pair.origin.stop()
    }

    /// A segment that the second node keeps has the same header fields as at the first one, for a player and for a page;
    /// and no stranger gets it.
    private static func expectKeptAnswersAlike(
        _ token: AssetToken, _ first: Node, _ second: Node
    ) async throws {
        let (path, bytes, _) = SampleStream.served[0]
        let segment = "/assets/\(token)/\(path)"
        for fields in [[], ["Sec-Fetch-Site: same-origin"]] {
            let (one, other) = (
                try await first.get(segment, fields: fields), try await second.get(segment, fields: fields)
            )
            #expect(other.body == bytes && other["Accept-Ranges"] == "bytes")
            for name in ["Content-Type", "Cache-Control", "Content-Length", "ETag", "Vary"] {
                #expect(one[name] == other[name], "\(name)")
            }
            let tag = try #require(other["ETag"])
            #expect(try await second.get(segment, fields: fields + ["If-None-Match: \(tag)"]).status == 304)
        }
        let head = try await second.get(segment, method: "HEAD")
        #expect(head.status == 200 && head["Content-Length"] == "\(bytes.count)" && head.body.isEmpty)
        #expect(try await second.get(segment, fields: ["Origin: http://films.example"]).status == 403)
    }

    @Test("send events to the clients of any of them")
    func events() async throws {
        let pair = try NodePair()
        let (first, second) = try await pair.startBoth()
        let client = try RawHTTPClient(port: second.ready.port)
        client.send("GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(second.ready.port)\r\n\r\n")
        let heard = Task { try await blocking { client.readLines { $0.hasPrefix("data:") } } }
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        #expect(try await heard.value.last?.contains(token.description) == true)
        client.close()
        try await second.running.stop()
        try await first.running.stop()
        pair.origin.stop()
    }

    @Test("demand the token if they were told to, also when the active one does not")
    func stricterNode() async throws {
        let pair = try NodePair()
        let first = try await pair.start(pair.one)
        try await first.untilActive()
        try pair.shareKey()
        let second = try await pair.start(pair.two, ["--require-token"])
        let secret = try #require(
            String(bytes: pair.one.store.read("api-token"), encoding: .utf8)?.split(separator: "\n").first)
        let bearer = ["Authorization: Bearer \(secret)"]
        try await eventually { try await second.get("/readyz", fields: bearer).status == 200 }
        let token = try await first.add(#"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#)
        for path in ["/readyz", "/metrics", "/api/v1/assets", "/assets/\(token)/master.m3u8"] {
            #expect(try await second.get(path).status == 401, "\(path)")
            #expect(try await second.get(path, fields: bearer).status == 200, "\(path)")
        }
        #expect(try await second.get("/api/v1/assets/\(token)", method: "DELETE").status == 401)
        let address = try await pair.two.run("url", token.description)
        #expect(
            address.output.hasPrefix("http://127.0.0.1:\(second.ready.port)/t/\(secret)/assets/"),
            "\(address.output)")
        try await second.running.stop()
        try await first.running.stop()
        pair.origin.stop()
    }

    @Test("judge by the token of the store, also before they ask the active one")
    func token() async throws {
        let pair = try NodePair()
        let first = try await pair.start(pair.one, ["--require-token"])
        try await eventually { (try? pair.one.store.read("api-token")) != nil }
        let secret = try #require(
            String(bytes: pair.one.store.read("api-token"), encoding: .utf8)?.split(separator: "\n").first)
        let bearer = ["Authorization: Bearer \(secret)"]
        try await eventually { try await first.get("/readyz", fields: bearer).status == 200 }
        try pair.shareKey()
        let second = try await pair.start(pair.two, ["--require-token"])
        try await eventually { try await second.get("/readyz", fields: bearer).status == 200 }
        let body = #"{"url": "\#(SampleStream().publish(on: pair.origin))"}"#
        #expect(try await second.get("/api/v1/assets", method: "POST", body: body).status == 401)
        let added = try await second.get("/api/v1/assets", method: "POST", body: body, fields: bearer)
        let token = try #require(added.object["token"] as? String)
        let (path, bytes, _) = SampleStream.served[0]
        for _ in 0..<2 {
            #expect(try await second.get("/t/\(secret)/assets/\(token)/\(path)").body == bytes)
            #expect(try await second.get("/assets/\(token)/\(path)", fields: bearer).body == bytes)
            #expect(try await second.get("/assets/\(token)/\(path)").status == 401)
            #expect(try await second.get("/t/wrong/assets/\(token)/\(path)").status == 401)
        }
        try await second.running.stop()
        try await first.running.stop()
        pair.origin.stop()
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
        let waiting = try await second.metrics()
        #expect(waiting["offline_server_node_active"] == 0 && waiting["offline_server_store_epoch"] == nil)
        try await first.running.stop()
        try await second.untilActive()
        let later = try await second.metrics()
        #expect(later["offline_server_node_active"] == 1 && later["offline_server_store_epoch"] == 2)
        #expect(later["offline_server_nodes{role=\"standby\"}"] == 0)
        try await second.running.stop()
    }

    @Test("tell a monitor in time what they know without the database, while that is away")
    func metricsAlone() async throws {
        let server = try PostgresServer()
        let pair = try NodePair(server)
        let first = try await pair.start(pair.one)
        try await first.untilActive()
        #expect(try await first.metrics()["offline_server_catalog_up"] == 1)
        try server.kill()
        var figures: [String: Double] = [:]
        // The processes of the server end a moment after it.
        repeat {
            let start = ContinuousClock.now
            figures = try await first.metrics()
            #expect(ContinuousClock.now - start < .seconds(4))
        } while figures["offline_server_catalog_up"] == 1
        #expect(figures["offline_server_node_active"] == 1 && figures["offline_server_catalog_up"] == 0)
        #expect(
            figures["offline_server_free_bytes"] ?? 0 > 0 && figures["offline_server_events_total"] == nil)
        try await first.kill()
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
        // Clients of the other node do not wait for the frozen one for longer than it owns the store.
        let client = try RawHTTPClient(port: second.ready.port)
        client.send("GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(second.ready.port)\r\n\r\n")
        _ = try await blocking { client.readLines { $0.isEmpty } }
        let events = Task { try await blocking { client.readToEnd() } }
        Foundation.kill(first.ready.pid, SIGSTOP)
        let segment = Task { try await second.get("/assets/\(token)/\(SampleStream.served[0].path)") }
        #expect(try await second.untilActive() < Self.bound)
        #expect(try await segment.value.status == 503)
        _ = try await events.value
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

    @Test("release the store on SIGTERM, so that the next node serves at once media that exist only once")
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

    @Test("are not started without the common secrets, and never show the password")
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
