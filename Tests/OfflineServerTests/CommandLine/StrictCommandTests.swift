import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Commands with requests that can't be satisfied", .fewAtOnce, .timeLimit(.minutes(2)))
struct StrictCommandTests {
    private func withOrigin(_ body: (Program, OriginServer, String) async throws -> Void) async throws {
        let origin = try OriginServer()
        let url = ClearStream.publish(on: origin)
        try await body(try Program(), origin, url)
        origin.stop()
    }

    private func expectProblem(_ outcome: Outcome, _ status: Int32, _ type: String) {
        #expect(outcome.status == status)
        let problem = Outcome.object(outcome.lines.last ?? "")
        #expect((problem["type"] as? String)?.hasSuffix(":\(type)") == true, "\(outcome.output)")
        for name in ["title", "status", "detail"] { #expect(problem[name] != nil, "\(name)") }
        let detail = problem["detail"] as? String ?? "-"
        #expect(outcome.errors.contains("offline-server: \(detail)"), "\(outcome.errors)")
    }

    @Test("take what the stream has and name left out items: when announced, in status, and in a dry run")
    func leftOut() async throws {
        try await withOrigin { program, _, url in
            let wish = [url, "--audio", "en,xx", "--rental", "30d"]
            let line = "left out: audio xx; the stream has en, de\n"
            let dry = try await program.run(["download", "--dry-run"] + wish)
            #expect(dry.status == 0 && dry.errors.contains(line))
            let done = try await program.run(["download"] + wish)
            #expect(done.status == 0 && done.errors.contains(line))
            #expect(done.errors.contains("left out: rental 30d; the stream is not encrypted"))
            let token = String(try #require(done.output.split(separator: " ").first))
            let status = try await program.run("status", token)
            #expect(status.output.contains("  left out  audio xx; the stream has en, de\n"))
            let object = try await program.run("status", token, "--json").object
            #expect((object["left_out"] as? [[String: Any]])?.first?["offered"] as? [String] == ["en", "de"])
            let first = try await program.run(["download", "--json"] + wish)
            #expect((Outcome.object(first.lines[0])["left_out"] as? [Any])?.count == 2)
        }
    }

    @Test("fail with --strict before any media, and leave no asset", arguments: ["download", "preload"])
    func strict(command: String) async throws {
        try await withOrigin { program, origin, url in
            let outcome = try await program.run(command, url, "--audio", "en,xx", "--strict", "--json")
            expectProblem(outcome, 1, "usage")
            #expect(outcome.errors.contains("audio xx; the stream has en, de"))
            #expect(Outcome.object(outcome.lines[0])["left_out"] != nil)
            #expect(try await program.run("list", "--json").output == "[]\n")
            #expect(origin.requests.allSatisfy { $0.path.hasSuffix(".m3u8") })
            let dry = try await program.run("download", "--dry-run", url, "--rental", "30d", "--strict")
            #expect(dry.status == 1)
            let token = String(
                try #require(try await program.run("download", url).output.split(separator: " ").first))
            let tracks = try await program.run("add-tracks", token, "--audio", "de,xx", "--strict")
            #expect(tracks.status == 1 && tracks.errors.contains("audio xx"))
            #expect(
                try await program.run("add-tracks", token, "--audio", "de,xx").errors.contains(
                    "left out: audio xx"))
        }
    }

    @Test("print a running server's refusal as the problem document that it sent")
    func served() async throws {
        try await withOrigin { program, _, url in
            try await program.serving { _ in
                let outcome = try await program.run("download", url, "--audio", "en,xx", "--strict", "--json")
                expectProblem(outcome, 1, "usage")
                let items = Outcome.object(outcome.lines[0])["left_out"] as? [[String: Any]]
                #expect(items?.first?["wanted"] as? String == "xx")
                expectProblem(
                    try await program.run("download", "\(url)x", "--json"), 1, "http")
            }
        }
    }

    @Test(
        "with --json print one problem document on stdout, for wrong usage, too",
        arguments: [
            (["status", "01HZX3T5E8M9K2Q4R6S7V8W9XA"], 3, "usage"), (["list", "--limit", "0"], 64, "usage"),
            (["nonsense"], 64, "usage"), (["download", "x.m3u8"], 64, "usage"),
            (["playlist", "parse", "/nonexistent"], 1, "disk"),
            (["probe", "http://127.0.0.1:1/a.m3u8"], 1, "network"),
        ] as [([String], Int32, String)])
    func problems(words: [String], status: Int32, type: String) async throws {
        let outcome = try await Program().run(words + ["--json"])
        expectProblem(outcome, status, type)
        #expect(outcome.lines.count == 1)
        if status == 3 { #expect(outcome.object["token"] as? String == words[1]) }
    }

    @Test("end with 2 if probe finds that the stream can't be downloaded")
    func probe() async throws {
        try await withOrigin { program, origin, url in
            #expect(try await program.run("probe", url).status == 0)
            origin.serve("/live.m3u8", text: "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n")
            let live = try await program.run("probe", origin.url("/live.m3u8"), "--json")
            #expect(live.status == 2 && live.object["eligible"] as? Bool == false && live.lines.count == 1)
        }
    }

    @Test("each line of a list is judged by itself: an invalid line is named, and the others are done")
    func lists() async throws {
        try await withOrigin { program, _, url in
            let list = try program.store.write(
                Array(
                    """
                    # a comment
                    \(url)

                    ftp://a.test/x.m3u8
                    {"url": "\(url)", "name": "Described", "audio": ["de"]}
                    {"url": "\(url)", "max_bitrat": 5}
                    {"url": "\(url)"
                    01HZX3T5E8M9K2Q4R6S7V8W9XA
                    """.utf8), to: "list")
            let outcome = try await program.run("download", "--input", list, "--audio", "en", "--json")
            #expect(outcome.status == 1)
            let problems = outcome.lines.map { Outcome.object($0) }.filter { $0["type"] != nil }
            #expect(problems.compactMap { $0["line"] as? Int } == [4, 6, 7, 8])
            #expect(problems.allSatisfy { $0["file"] as? String == list })
            #expect(problems.compactMap { $0["pointer"] as? String } == ["/max_bitrat", ""])
            #expect(
                outcome.errors.contains("\(list), line 4: ftp://a.test/x.m3u8 is not an http or https URL"))
            #expect(
                outcome.errors.contains(
                    "\(list), line 6, at /max_bitrat: unknown member \"max_bitrat\"; did you mean \"max_bitrate\"?"
                ))
            let assets = try await program.run("list", "--json").array
            #expect(assets.count == 2 && assets.allSatisfy { $0["state"] as? String == "complete" })
            let described = assets.first { $0["name"] as? String == "Described" }
            let names = (described?["renditions"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
            #expect(names == ["video-360p", "audio-de"])
            let dry = try await program.run("download", "--input", list, "--dry-run")
            #expect(dry.status == 1 && dry.lines.count == 4)
        }
    }

    @Test("use another asset's request for download --like, and their own options override it")
    func like() async throws {
        try await withOrigin { program, origin, url in
            let first = try await program.run(
                "download", url, "--audio", "de", "--meta", "a=b", "--meta", "c=d", "--priority", "4",
                "--json")
            let model = try #require(Outcome.object(first.lines[0])["token"] as? String)
            let other = try await program.run(
                "download", "--like", model, "\(url)?2", "--meta", "a=x", "--json")
            let object = Outcome.object(other.lines.last ?? "")
            #expect(other.status == 0 && object["meta"] as? [String: String] == ["a": "x", "c": "d"])
            #expect(object["priority"] as? Int == 4)
            let names = (object["renditions"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
            #expect(names == ["video-360p", "audio-de"])
            let english = try await program.run("download", "--like", model, url, "--audio", "en", "--json")
            #expect(english.output.contains("audio-en") && !english.output.contains("audio-de"))
            let missing = "01HZX3T5E8M9K2Q4R6S7V8W9XA"
            #expect(try await program.run("download", "--like", missing, url).status == 3)
            #expect(origin.requests.isEmpty == false)
        }
    }

    @Test(
        "a named store that does not exist is an error with an advice, and nothing is made")
    func noStore() async throws {
        let program = try Program()
        let token = "01HZX3T5E8M9K2Q4R6S7V8W9XA"
        try program.store.write([1], to: "films/film.mp4")
        for folder in [program.store.file("typo"), program.store.file("films")] {
            for words in [
                ["list"], ["status"], ["status", token], ["storage"], ["verify"], ["pause", "--all"],
                ["tracks", token],
            ] {
                let outcome = try await program.run(words + ["--store", folder, "--json"])
                expectProblem(outcome, 1, "usage")
                #expect(outcome.errors.contains("there is no store in \(folder); check --store"), "\(words)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: program.store.file("typo")))
        #expect(try await Program().run("list").status == 0, "an empty folder may become a store")
    }

    @Test("name the option of serve that overrides a setting when the setting changes")
    func overruled() async throws {
        let program = try Program()
        let running = try await program.start(
            ["serve", "--json", "--listen", "127.0.0.1:0", "--max-downloads", "2", "--quota", "50G"])
        let ready = try Program.Ready(await running.line(0))
        try program.store.write(
            Array(#"{"max_downloads": 5, "storage": {"quota": "1G"}}"#.utf8), to: "config.json")
        kill(ready.pid, SIGHUP)
        try await eventually { try running.errors().contains("config.json was read again") }
        let outcome = try await running.stop()
        let told = "max_downloads in config.json has no effect: serve was started with --max-downloads,"
        #expect(outcome.errors.contains(told))
        let quota = "storage in config.json has no effect: serve was started with --quota or --evict,"
        #expect(outcome.errors.contains(quota))
        #expect(!outcome.errors.contains("take effect at the next start"))
    }

    @Test("let serve read its settings again on SIGHUP, and keep the old ones if they are invalid")
    func reloads() async throws {
        let program = try Program()
        try program.store.write(Array(#"{"limit_rate": 1000}"#.utf8), to: "config.json")
        let running = try await program.start(["serve", "--json", "--listen", "127.0.0.1:0"])
        let ready = try Program.Ready(await running.line(0))
        func limit() async throws -> Int? {
            let bytes = try await blocking {
                let client = try RawHTTPClient(port: ready.port)
                client.send(
                    "GET /api/v1/settings HTTP/1.1\r\nHost: 127.0.0.1:\(ready.port)\r\nConnection: close\r\n\r\n"
                )
                return client.readToEnd()
            }
            return Reply(bytes).object["limit_rate"] as? Int
        }
        #expect(try await limit() == 1000)
        try program.store.write(
            Array(#"{"limit_rate": 2000, "storage": {"quota": "1G"}}"#.utf8), to: "config.json")
        kill(ready.pid, SIGHUP)
        try await eventually { try await limit() == 2000 }
        try program.store.write(
            Array(
                #"{"limit_rate": 3000, "key_providers": [{"name": "a", "hosts": ["h"], "url": "https://a"}]}"#
                    .utf8),
            to: "config.json")
        kill(ready.pid, SIGHUP)
        try await eventually { try await limit() == 3000 }
        try program.store.write(Array("{\n\"limit_rat\": 1}".utf8), to: "config.json")
        kill(ready.pid, SIGHUP)
        try await Task.sleep(for: .milliseconds(300))
        #expect(try await limit() == 3000)
        let outcome = try await running.stop()
        #expect(outcome.errors.contains("key_providers in config.json take effect at the next start"))
        #expect(!outcome.errors.contains("has no effect"))
        #expect(outcome.errors.contains("line 2: unknown key \"limit_rat\"; did you mean \"limit_rate\"?"))
    }
}
