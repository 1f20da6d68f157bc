import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("serve", .fewAtOnce, .timeLimit(.minutes(2)))
struct ServeCommandTests {
    @Test("it prints its address, and answers there")
    func greeting() async throws {
        let (program, token) = try await Program.withSample()
        try await program.serving { ready in
            #expect(ready.url == "http://127.0.0.1:\(ready.port)")
            #expect(ready.store == program.store.path)
            let head = try await blocking {
                let client = try RawHTTPClient(port: ready.port)
                client.send(
                    "GET /assets/\(token)/master.m3u8 HTTP/1.1\r\nHost: 127.0.0.1:\(ready.port)\r\n\r\n")
                return client.readResponse().head
            }
            #expect(head.hasPrefix("HTTP/1.1 200 "))
        }
    }

    /// Whether this machine has the loopback address of IPv6.
    private static let hasIPv6 =
        (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?
        .contains("00000000000000000000000000000001") == true

    /// In CI always: a machine without it is a failure.
    static let runsIPv6 = hasIPv6 || ProcessInfo.processInfo.environment["CI"] != nil

    @Test(
        "a server that listens on [::] answers at the address it prints",
        .enabled(if: runsIPv6, "IPv6 is missing"))
    func everyIPv6Address() async throws {
        let (program, token) = try await Program.withSample()
        try await program.serving("--listen", "[::]:0") { ready in
            #expect(ready.url == "http://[::1]:\(ready.port)")
            // This uses the server at its printed address.
            let verified = try await program.run("verify", token.description)
            #expect(verified.status == 0, "\(verified.errors)")
        }
    }

    @Test("an address that this machine does not have ends it with 1, and how to choose another one")
    func absentAddress() async throws {
        let outcome = try await Program().run("serve", "--listen", "192.0.2.1:0")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("; choose one that `ip address` lists with --listen ADDRESS:PORT"))
    }

    @Test("SIGTERM and SIGINT end it well", arguments: [SIGTERM, SIGINT])
    func signals(_ signal: Int32) async throws {
        let program = try Program()
        let server = try await program.start(["serve", "--listen", "127.0.0.1:0"])
        let greeting = try await server.line(0)
        #expect(greeting.hasPrefix("listening on http://127.0.0.1:"))
        server.signal(signal)
        let outcome = try await server.end()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
    }

    @Test("a server that does not end well is an issue of the test that started it")
    func badEnd() async throws {
        let program = try Program()
        await withKnownIssue {
            try await program.serving { ready in _ = kill(ready.pid, SIGKILL) }
        }
    }

    @Test("a second one on the same store ends with 75 and names the process of the first")
    func inUse() async throws {
        let program = try Program()
        try await program.serving { ready in
            let second = try await program.run("serve", "--listen", "127.0.0.1:0")
            #expect(second.status == 75)
            #expect(second.errors.contains("process \(ready.pid)"))
            #expect(second.errors.split(separator: "\n").count == 1)
        }
        try await program.serving { _ in }
    }

    @Test("the demo is there with no origin, whole and playable, and once only")
    func demo() async throws {
        let program = try Program()
        for _ in 0..<2 {
            try await program.serving("--demo") { _ in
                let assets = try await program.run("list", "--json").array
                #expect(assets.count == 1)
                #expect(assets.first?["state"] as? String == "complete")
                #expect((assets.first?["source_url"] as? String)?.hasPrefix("file:") == true)
                #expect(assets.first?["subtitle_languages"] as? [String] == ["en", "de", "ja"])
                #expect(assets.first?["poster"] is String)
                let token = try #require(assets.first?["token"] as? String)
                #expect(try await program.run("playable", token).status == 0)
            }
        }
    }

    @Test("commands that change something do it through the running server")
    func handedOver() async throws {
        let (program, token) = try await Program.withSample()
        let source = try TemporaryDirectory()
        try SampleStream().write(to: source)
        try await program.serving { ready in
            #expect(try await program.run("verify", token.description).status == 0)
            let imported = try await program.run("import", source.path, "--json")
            #expect(imported.status == 0)
            #expect((imported.object["playlist_url"] as? String)?.hasPrefix(ready.url) == true)
            #expect(try await program.run("remove", token.description).status == 0)
            #expect(try await program.run("list", "--json").array.count == 1)
            #expect(try await program.run("status", token.description).status == 3)
            #expect(try await program.run("doctor").output.contains("process \(ready.pid), \(ready.url)"))
        }
    }

    @Test("the store is its owner's alone")
    func permissions() async throws {
        let program = try Program()
        let source = try TemporaryDirectory()
        try SampleStream().write(to: source)
        let token = try await program.run("import", source.path).output.dropLast()
        for name in [
            "api-token", "store.key", "catalog.db", "engine.lock", "assets",
            "assets/\(token)/video-360p/0.ts",
        ] {
            let facts = try FileManager.default.attributesOfItem(atPath: program.store.file(name))
            #expect((facts[.posixPermissions] as? Int ?? 0o777) & 0o077 == 0, "\(name)")
        }
    }

    @Test(
        "reserves two open files for each possible transfer, which clients can't take",
        arguments: [(3, 16, 160), (64, 64, 8256)])
    func descriptors(_ downloads: Int, _ transfers: Int, _ kept: Int) {
        var policy = EnginePolicy()
        (policy.maximumDownloads, policy.transfersPerAsset) = (downloads, transfers)
        #expect(PlaybackServer.descriptors(of: policy) == kept)
    }

    @Test("no core dump has any of its memory")
    func coreDumps() async throws {
        let program = try Program()
        try await program.serving { ready in
            let limits = try String(contentsOfFile: "/proc/\(ready.pid)/limits", encoding: .utf8)
            let core = try #require(
                limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
            let filter = try String(contentsOfFile: "/proc/\(ready.pid)/coredump_filter", encoding: .utf8)
            #expect(filter.allSatisfy { $0 == "0" || $0 == "\n" })
        }
    }
}
