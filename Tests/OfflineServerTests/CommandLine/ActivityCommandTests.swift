import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Commands beside a download in trouble", .fewAtOnce, .timeLimit(.minutes(2)))
struct ActivityCommandTests {
    @Test("without a terminal, download prints each change in a line, and status shows the work")
    func retrying() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/audio/2.m4s", .status(500))
        let program = try Program()
        try await program.serving { _ in
            let running = try await program.start(["download", url])
            let token = String(try await running.line(0).prefix { $0 != " " })
            try await eventually {
                try running.errors().contains(" of 8): the origin answered 500")
            }
            let status = try await program.run("status", token)
            #expect(status.output.contains("  doing     retrying ("))
            #expect(status.output.contains("/audio/2.m4s); next try at "))
            let list = try await program.run("list").output
            #expect(list.contains(#/downloading, retries: 500, try \d of 8/#), "\(list)")
            let object = try await program.run("status", token, "--json").object
            #expect((object["activity"] as? [String: Any])?["doing"] as? String == "retrying")
            origin.clearFaults("/audio/2.m4s")
            let outcome = try await running.end()
            #expect(outcome.status == 0 && outcome.errors.contains("complete: "))
            let told = outcome.errors.split(separator: "\n").filter { $0.contains("retrying (") }
            let tries = told.map { $0.drop { $0 != "(" }.prefix { $0 != ")" } }
            #expect(tries.count == Set(tries).count)
        }
        origin.stop()
    }

    @Test("with --verbose every failed try is printed")
    func verbose() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/audio/2.m4s", .status(500), times: 2)
        let outcome = try await Program().run("download", url, "--verbose")
        let tries = outcome.errors.split(separator: "\n").filter { $0.contains("/audio/2.m4s); try ") }
        #expect(outcome.status == 0)
        #expect(tries.map { $0.contains("try 2 of 8 in ") } == [true, false])
        #expect(tries.last?.contains("try 3 of 8 in ") == true)
        origin.stop()
    }

    @Test("an asset without an engine is shown as queued for one, in the list and in the status")
    func noEngine() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        let detached = try await program.run("download", url, "--detach", "--priority", "-1", "--json")
        #expect(detached.status == 0)
        let asset = try #require(try await program.run("list", "--json").array.first)
        #expect(asset["state"] as? String == "queued" && asset["reason"] as? String == "engine")
        #expect(asset["activity"] is NSNull && asset["priority"] as? Int == -1)
        #expect((asset["wait"] as? String)?.contains("offline-server serve") == true)
        #expect(try await program.run("list").output.contains("  queued, waits: a server  "))
        #expect(try await program.run("list", "--state", "downloading", "--json").array.isEmpty)
        let token = try #require(asset["token"] as? String)
        #expect(try await program.run("prioritize", token, "--priority", "-2").status == 0)
        #expect(try await program.run("status", token).output.contains("queued (engine)"))
        origin.stop()
    }

    @Test("settings are shown and changed in config.json, or of the server that runs, until it ends")
    func settings() async throws {
        let program = try Program()
        try program.store.write(Array(#"{"hooks": [], "storage": {"quota": "50G"}}"#.utf8), to: "config.json")
        let changed = try await program.run(
            "settings", "max_downloads=2", "limit_rate=500k", "metered_ok=true")
        #expect(changed.status == 0)
        #expect(changed.lines.prefix(3) == ["max_downloads=2", "transfers=16", "limit_rate=500000"])
        #expect(changed.lines.contains("metered_ok=true"))
        let file = Outcome.object(String(decoding: try program.store.read("config.json"), as: UTF8.self))
        #expect(file["max_downloads"] as? Int == 2)
        #expect((file["storage"] as? [String: Any])?["quota"] as? String == "50G")
        try await program.serving { ready in
            #expect(try await program.run("settings", "--json").object["max_downloads"] as? Int == 2)
            let now = try await program.run(
                "settings", "--json", "max_downloads=5", "transfers=4", "limit_rate=none")
            #expect(now.object["max_downloads"] as? Int == 5 && now.object["transfers"] as? Int == 4)
            #expect(now.object["limit_rate"] is NSNull)
        }
        #expect(try await program.run("settings").lines.first == "max_downloads=2")
        for wrong in [["max_downloads=0"], ["transfers"], ["colour=red"], ["schedule=x"]] {
            #expect(try await program.run(["settings"] + wrong).status == 64, "\(wrong)")
        }
    }

    @Test("storage knows of a play that the running server has not written down")
    func plays() async throws {
        let (program, token) = try await Program.withSample()
        try await program.serving { ready in
            let head = try await blocking {
                let client = try RawHTTPClient(port: ready.port)
                client.send(
                    "GET /assets/\(token)/video-360p/0.ts HTTP/1.1\r\nHost: 127.0.0.1:\(ready.port)\r\n\r\n")
                return client.readResponse().head
            }
            #expect(head.contains("200"))
            let show = try await program.run("storage", "--json")
            let share = (show.object["assets"] as? [[String: Any]])?.first
            #expect(share?["last_played_at"] is String)
        }
    }
}
