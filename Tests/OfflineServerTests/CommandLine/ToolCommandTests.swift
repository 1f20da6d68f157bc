import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Commands that need no asset", .fewAtOnce, .timeLimit(.minutes(2)))
struct ToolCommandTests {
    @Test("playlist parse gives JSON, or the same bytes again")
    func parse() async throws {
        let program = try Program()
        let bytes = SampleStream().files["master.m3u8"] ?? []
        let file = try program.store.write(bytes, to: "a.m3u8")
        let json = try await program.run("playlist", "parse", file)
        #expect(json.status == 0)
        #expect(!json.object.isEmpty)
        let same = try await program.run("playlist", "parse", file, "--format", "m3u8")
        #expect(Array(same.output.utf8) == bytes)
    }

    @Test("a file that is not a playlist ends with 1, with the line and the reason")
    func noPlaylist() async throws {
        let program = try Program()
        let file = try program.store.write(Array("#EXTM3U\n#EXTINF:abc,\n0.ts\n".utf8), to: "a.m3u8")
        let outcome = try await program.run("playlist", "parse", file)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("a.m3u8"))
        #expect(outcome.errors.contains("line 2"))
        let none = try await program.run("playlist", "parse", program.store.file("none.m3u8"))
        #expect(none.status == 1)
        #expect(none.errors.contains("No such file or directory; check the path"))
    }

    @Test("doctor finds a sound store sound, and names the faults of another one")
    func doctor() async throws {
        let (program, _) = try await Program.withSample()
        let sound = try await program.run("doctor", "--json")
        #expect(sound.status == 0)
        #expect(sound.array.allSatisfy { $0["ok"] as? Bool == true })
        #expect(
            Set(sound.array.compactMap { $0["check"] as? String }).isSuperset(of: [
                "store", "catalog", "engine",
            ]))
        try program.store.write([1], to: "assets/stray/file")
        let stray = try await program.run("doctor")
        #expect(stray.status == 1)
        #expect(stray.output.contains("wrong  orphans: folders that belong to no asset: assets/stray"))
    }

    @Test("probe and estimate show renditions and sizes, and request no media")
    func probeAndEstimate() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        let probe = try await program.run("probe", url, "--json")
        #expect(probe.status == 0)
        for name in ["eligible", "reasons", "variants", "renditions", "bitrates", "keys", "duration", "live"]
        {
            #expect(probe.object[name] != nil, "\(name)")
        }
        #expect(probe.object["eligible"] as? Bool == true)
        #expect(try await program.run("probe", url, "--bitrates").output == "300000\n")
        let estimate = try await program.run("estimate", url, "--json").object
        for name in ["low", "likely", "high"] { #expect((estimate[name] as? Int ?? 0) > 0, "\(name)") }
        #expect(estimate["method"] is String)
        origin.stop()
    }

    @Test(
        "probe, estimate and --dry-run take the same streams of key systems as the download, and request no key"
    )
    func keySystem() async throws {
        let origin = try OriginServer()
        let key = #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery""#
        origin.serve(
            "/drm.m3u8", text: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(key)\n#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n")
        let url = origin.url("/drm.m3u8")
        let program = try Program()
        func isTaken(_ options: String...) async throws -> [Bool] {
            let probe = try await program.run(["probe", url, "--json"] + options)
            let estimate = try await program.run(["estimate", url] + options)
            let dryRun = try await program.run(["download", url, "--dry-run"] + options)
            return [probe.object["eligible"] as? Bool == true, estimate.status == 0, dryRun.status == 0]
        }
        #expect(try await isTaken() == [false, false, false])
        #expect(try await isTaken("--allow-missing-key") == [true, true, true])
        let keys = origin.url("/keys")
        let settings = #"{"key_providers": [{"name": "acme", "schemes": ["skd"], "url": "\#(keys)"}]}"#
        try program.store.write(Array(settings.utf8), to: "config.json")
        #expect(try await isTaken() == [true, true, true])
        for command in [["probe", url], ["estimate", url], ["download", url, "--dry-run"]] {
            #expect(try await program.run(command).output.contains("keys would be requested from acme\n"))
            let document = try await program.run(command + ["--json"]).object
            #expect(document["key_providers"] as? [String] == ["acme"], "\(command)")
        }
        #expect(origin.requests(for: "/keys").isEmpty)
        origin.stop()
    }

    @Test("an origin that is not there, and a page that is no playlist, are errors of one sentence")
    func badOrigins() async throws {
        let origin = try OriginServer()
        origin.serve("/page", text: "<html></html>", contentType: "text/html")
        let program = try Program()
        for url in [origin.url("/none.m3u8"), origin.url("/page"), "http://127.0.0.1:9/a.m3u8"] {
            for command in ["probe", "estimate", "download"] {
                let outcome = try await program.run(command, "\(url)?token=secret")
                #expect(outcome.status == 1, "\(command) \(url)")
                let errors = outcome.errors.split(separator: "\n").filter {
                    !$0.contains("; trying again in ") && !$0.hasPrefix("still reading ")
                }
                #expect(errors.count == 1, "\(outcome.errors)")
                #expect(!outcome.errors.contains("secret"))
            }
        }
        origin.stop()
    }
}
