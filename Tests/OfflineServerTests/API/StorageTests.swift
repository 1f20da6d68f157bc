import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Room, by the API and by commands", .fewAtOnce, .timeLimit(.minutes(2)))
struct StorageTests {
    @Test("the API lists limits and orphans, and prunes only what the policy permits")
    func api() async throws {
        try await withSite {
            var policy = StoragePolicy()
            (policy.quota, policy.evict) = (1_000_000_000, [.watched])
            $0.engine.storage = policy
        } _: { site in
            let token = try await site.importSample()
            try site.folder.write([1, 2, 3], to: "assets/01ARZ3NDEKTSV4RRFFQ69G5FAV/0.ts")
            let use = try await site.get("/api/v1/storage").object
            let limits = try #require(use["limits"] as? [String: Any])
            #expect(limits["quota"] as? Int == 1_000_000_000 && limits["evict"] as? [String] == ["watched"])
            let orphans = try #require(use["orphans"] as? [[String: Any]])
            #expect(orphans.map { $0["kind"] as? String } == ["asset"])
            #expect(orphans.first?["bytes"] as? Int == 3)
            let largest = try await site.get("/api/v1/storage?limit=1").object
            let shares = try #require(largest["assets"] as? [[String: Any]])
            #expect(shares.map { $0["token"] as? String } == ["\(token)"])
            #expect(shares.first?["bytes"] as? Int == largest["bytes"] as? Int)
            #expect(try await site.get("/api/v1/storage?limit=0").status == 400)
            let plan = try await site.post("/api/v1/storage/prune", #"{"dry_run": true, "free": 10}"#)
            #expect(plan.status == 200 && plan.object["bytes"] as? Int == 3)
            #expect(plan.object["enough"] as? Bool == false && plan.object["dry_run"] as? Bool == true)
            let wrong = try await site.post("/api/v1/storage/prune", #"{"evict": ["everything"]}"#)
            #expect(wrong.status == 400)
            let pin = try await site.post(
                "/api/v1/control", #"{"action": "pin", "tokens": ["\#(token)"]}"#)
            #expect((pin.object["done"] as? [[String: Any]])?.count == 1)
            #expect(try await site.get("/api/v1/assets/\(token)").object["pinned"] as? Bool == true)
            let body = #"{"free": 10, "evict": ["least-recently-played"]}"#
            let none = try await site.post("/api/v1/storage/prune", body)
            #expect((none.object["evicted"] as? [Any])?.isEmpty == true)
            _ = try await site.request(
                "PATCH", "/api/v1/assets/\(token)", ["Content-Type": "application/json"],
                body: #"{"pinned": false}"#)
            let some = try await site.post("/api/v1/storage/prune", body)
            #expect((some.object["evicted"] as? [[String: Any]])?.first?["token"] as? String == "\(token)")
            #expect(some.object["dry_run"] as? Bool == false)
            #expect(try await site.get("/api/v1/assets/\(token)").object["reason"] as? String == "evicted")
        }
    }

    @Test("commands do the same without a server, by the policy of the settings")
    func commands() async throws {
        let (program, token) = try await Program.withSample()
        try program.store.write(
            Array(#"{"storage": {"quota": "1k", "evict": "all"}}"#.utf8), to: "config.json")
        let shown = try await program.run("storage", "--json").object
        #expect((shown["limits"] as? [String: Any])?["quota"] as? Int == 1000)
        #expect(
            (shown["assets"] as? [[String: Any]])?.first?["evictable"] as? String
                == "least-recently-played")
        #expect(try await program.run("pin", "\(token)").status == 0)
        let pinned = try await program.run("status", "--follow", "\(token)")
        #expect(pinned.status == 0 && pinned.output.contains("pinned    it is not evicted"))
        #expect(pinned.output.contains(#/\n  stored    100%, \d+ kB\n/#), "\(pinned.output)")
        let refused = try await program.run("storage", "prune")
        #expect(refused.status == 1 && refused.errors.contains("does not allow"))
        #expect(try await program.run("unpin", "--all").status == 0)
        #expect(try await !program.run("status", "\(token)").output.contains("pinned"))
        let dry = try await program.run("storage", "prune", "--dry-run", "--json")
        #expect((dry.object["evicted"] as? [Any])?.count == 1)
        #expect(try await program.run("playable", "\(token)").status == 0)
        #expect(try await program.run("storage", "prune").status == 0)
        #expect(try await program.run("playable", "\(token)").status == 2)
        #expect(try await program.run("storage", "prune", "--evict", "x").status == 64)
    }

    @Test("unknown assets can't be pinned: the API reports each, the command does nothing")
    func pinRefused() async throws {
        let missing = "01ARYZ6S410000000000000000"
        try await withSample { site, token in
            let answer = try await site.post(
                "/api/v1/control", #"{"action": "pin", "tokens": ["\#(missing)", "\#(token)"]}"#)
            #expect(answer.status == 200)
            let refused = try #require(answer.object["refused"] as? [[String: Any]])
            #expect(refused.map { $0["token"] as? String } == [missing])
            #expect((refused.first?["detail"] as? String)?.contains("no asset has the token") == true)
            let done = try #require(answer.object["done"] as? [[String: Any]])
            #expect(done.map { $0["token"] as? String } == [token.description])
        }
        let (program, token) = try await Program.withSample()
        let outcome = try await program.run("pin", token.description, missing)
        #expect(outcome.status == 3 && outcome.errors.contains(missing))
        let asset = try await program.run("status", token.description, "--json").object
        #expect(asset["pinned"] as? Bool == false)
    }

    @Test("HEAD of every segment, and asking whether one has changed, leaves last_played_at null")
    func notPlayed() async throws {
        let folder = try TemporaryDirectory()
        let token = try await withSite(in: folder) { site in
            let token = try await site.importSample()
            for (path, _, _) in SampleStream.served {
                // The first one is read, the second one is at hand.
                for _ in 0..<2 {
                    let head = try await site.request("HEAD", "/assets/\(token)/\(path)")
                    let tag = try #require(head["ETag"])
                    let same = try await site.get("/assets/\(token)/\(path)", ["If-None-Match": tag])
                    #expect(head.status == 200 && same.status == 304, "\(path)")
                }
            }
            return token
        }
        try await withSite(in: folder) { site in
            let asset = try await site.get("/api/v1/assets/\(token)").object
            #expect(asset["last_played_at"] is NSNull)
        }
    }

    @Test("plays are written down after the server has stopped")
    func played() async throws {
        let folder = try TemporaryDirectory()
        let token = try await withSite(in: folder) { site in
            let token = try await site.importSample()
            #expect(try await site.get("/assets/\(token)/video-360p/0.ts").status == 200)
            return token
        }
        try await withSite(in: folder) { site in
            let asset = try await site.get("/api/v1/assets/\(token)").object
            #expect(asset["last_played_at"] as? String != nil)
        }
    }
}
