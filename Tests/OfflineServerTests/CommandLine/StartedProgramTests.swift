import AssetStore
import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("Programs that are started", .fewAtOnce, .timeLimit(.minutes(2)))
struct StartedProgramTests {
    /// A shell script that prints how it was started.
    private static let telling = "grep -e Umask -e SigIgn /proc/self/status; ls /proc/self/fd"

    /// The mask is that of the caller, who is this process; the pipe's signal (13) is not ignored; and there are the
    /// usual three descriptors, with that of the folder that is listed.
    private func expectUsual(_ told: String) throws {
        let lines = told.split(separator: "\n")
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let mask = try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") })
        #expect(lines.first == mask)
        let ignored = try #require(lines.dropFirst().first?.split(separator: "\t").last)
        let signals = try #require(UInt64(ignored, radix: 16))
        #expect(signals & (1 << 12) == 0)
        #expect(lines.dropFirst(2) == ["0", "1", "2", "3"])
    }

    /// Makes a player of a shell's script; its path.
    private func player(_ script: String, named name: String = "player", in program: Program) throws -> String
    {
        let path = try program.store.write(Array("#!/bin/sh\n\(script)\n".utf8), to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    @Test("a player has the surroundings that its caller gives it")
    func player() async throws {
        let (program, token) = try await Program.withSample()
        let player = try player(Self.telling, in: program)
        let played = try await program.run("play", token.description, "--player", player)
        #expect(played.status == 0)
        try expectUsual(played.output)
    }

    @Test("a player ignores what its caller ignores: with nohup, the end of the terminal")
    func nohup() async throws {
        let (program, token) = try await Program.withSample()
        let player = try player(Self.telling, in: program)
        let running = try await program.start(
            ["play", token.description, "--player", player], under: ["nohup"])
        let played = try await running.end()
        #expect(played.status == 0)
        try expectUsual(played.output)
        let ignored = try #require(played.lines.dropFirst().first?.split(separator: "\t").last)
        #expect(try #require(UInt64(ignored, radix: 16)) & 1 == 1)
    }

    @Test("^C is for the player: play goes on to its end, and leaves no file behind")
    func interrupted() async throws {
        let (program, token) = try await Program.withSample()
        // The terminal sends both to all that run in it.
        let script = #"echo "$3"; kill -INT $PPID; kill -QUIT $PPID; exit 4"#
        let player = try player(script, named: "ffplay", in: program)
        let played = try await program.run(
            "play", token.description, "--player", player, "--subtitles", "en")
        #expect(played.status == 1)
        #expect(played.errors.contains("ffplay ended with status 4"))
        let file = try #require(played.lines.first?.split(separator: "=").last)
        #expect(file.hasSuffix(".ass") && !FileManager.default.fileExists(atPath: String(file)))
    }

    @Test("so has a key provider's program; a missing program is an error")
    func keyProvider() async throws {
        let origin = try OriginServer()
        let key = #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery""#
        origin.serve(
            "/drm.m3u8", text: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(key)\n#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n")
        let program = try Program()
        let told = program.store.file("told")
        func preload(asking command: [String]) async throws -> Outcome {
            let provider: [String: Any] = ["name": "acme", "schemes": ["skd"], "command": command]
            let settings = try JSONSerialization.data(withJSONObject: ["key_providers": [provider]])
            try program.store.write([UInt8](settings), to: "config.json")
            return try await program.run("preload", origin.url("/drm.m3u8"))
        }
        let asking = "{ \(Self.telling); } >'\(told)'; printf 0123456789abcdef"
        #expect(try await preload(asking: ["sh", "-c", asking]).status == 0)
        try expectUsual(String(contentsOfFile: told, encoding: .utf8))
        let absent = try await preload(asking: ["/no/such/program"])
        #expect(absent.status == 1 && absent.errors.contains("acme could not be asked"))
        origin.stop()
    }
}
