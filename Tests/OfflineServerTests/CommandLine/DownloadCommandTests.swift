import AssetStore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

@Suite("download", .fewAtOnce, .timeLimit(.minutes(2)))
struct DownloadCommandTests {
    private func withOrigin(_ body: (Program, OriginServer, String) async throws -> Void) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await body(try Program(), origin, url)
        origin.stop()
    }

    @Test("its first line names token and address, the following ones progress, the last one is the asset")
    func lines() async throws {
        try await withOrigin { program, origin, url in
            let outcome = try await program.run(
                "download", "\(url)?secret=1", "--json", "--name", "N", "--meta", "k=v=w")
            #expect(outcome.status == 0)
            #expect(!outcome.output.contains("secret"))
            let lines = outcome.lines.map { Outcome.object($0) }
            let first = try #require(lines.first)
            let token = try #require(first["token"] as? String)
            #expect((first["playlist_url"] as? String)?.hasSuffix("/assets/\(token)/master.m3u8") == true)
            for line in lines.dropFirst().dropLast() {
                #expect(line["token"] as? String == token)
                let names = ["state", "reason", "progress", "stored", "expected", "speed", "eta"]
                for name in names + ["waits_until"] {
                    #expect(line[name] != nil)
                }
            }
            let last = try #require(lines.last)
            #expect(AssetObject.missing(in: last) == [])
            #expect(last["state"] as? String == "complete")
            #expect(last["name"] as? String == "N")
            #expect(last["meta"] as? [String: String] == ["k": "v=w"])
            for (path, bytes, _) in SampleStream.served {
                #expect(try program.store.read("assets/\(token)/\(path)") == bytes, "\(path)")
            }
            #expect(Set(origin.mediaRequests.map(\.path)).count == SampleStream.served.count)
            #expect(origin.mediaIsAskedForOnce)
        }
    }

    @Test("retries are printed on stderr, unless it is to be quiet", arguments: [false, true])
    func retried(isQuiet: Bool) async throws {
        try await withOrigin { program, origin, url in
            origin.fault("/video/1.ts", .status(503, headers: ["Retry-After: 1"]), times: 1)
            let outcome = try await program.run(
                ["download", "\(url)?secret=1"] + (isQuiet ? ["--quiet"] : []))
            #expect(outcome.status == 0)
            let line =
                "waiting (2 of 8): the origin answered 503 Service Unavailable (\(origin.url("/video/1.ts"))); next try in 1 s"
            #expect(outcome.errors.split(separator: "\n").contains { $0.hasSuffix(line) } == !isQuiet)
            #expect(!outcome.errors.contains("trying again in"), "\(outcome.errors)")
        }
    }

    @Test("for people stdout has the token and the address, stderr the selection and the end")
    func people() async throws {
        try await withOrigin { program, _, url in
            let outcome = try await program.run("download", url)
            #expect(outcome.lines.count == 1)
            #expect(outcome.output.contains(" http://127.0.0.1:"))
            #expect(outcome.errors.contains("640x360 300 kbit/s; audio en; subtitles en"))
            #expect(outcome.errors.contains("complete: "))
            #expect(!outcome.errors.contains("\u{1B}"))
        }
    }

    @Test("forced subtitles are shown apart from full ones, and nothing is printed twice")
    func forced() async throws {
        try await withOrigin { program, origin, url in
            let more = [("Signs", ",FORCED=YES"), ("Other", "")].map { name, attributes in
                "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",LANGUAGE=\"en\",NAME=\"\(name)\"\(attributes),"
                    + "URI=\"text/en.m3u8?\(name)\"\n"
            }
            let master = String(decoding: SampleStream().files["master.m3u8"] ?? [], as: UTF8.self)
            let tag = "#EXT-X-STREAM-INF"
            origin.serve("/master.m3u8", text: master.replacing(tag, with: more.joined() + tag))
            let outcome = try await program.run("download", url)
            #expect(outcome.errors.contains("; subtitles en, en (forced)\n"))
            let token = String(outcome.output.prefix { $0 != " " })
            let tracks = try await program.run("tracks", token)
            #expect(tracks.lines.count { $0.contains(" en (forced) ") } == 1)
        }
    }

    @Test("token and address are printed before the first request for media")
    func printsFirst() async throws {
        try await withOrigin { program, origin, url in
            let output = try FullPipe()
            let process = Process()
            process.executableURL = URL(filePath: try RunningProgram.binary)
            process.arguments = ["download", url, "--json"]
            process.environment = [
                "OFFLINE_SERVER_STORE": program.store.path, "SWIFT_BACKTRACE": "enable=no",
            ]
            process.standardOutput = output.writer
            process.standardError = FileHandle.nullDevice
            try await blocking { [process] in try process.run() }
            output.closeWriter()
            // The asset is entered, and nothing reads the output.
            try await eventually {
                try !StoreReader(root: FilePath(program.store.path)).assets(states: [
                    .queued, .downloading, .complete,
                ]).isEmpty
            }
            // Another command has read it and is gone before any of its media are requested.
            let looked = try await program.run("list", "--json")
            #expect(looked.status == 0 && !looked.array.isEmpty)
            #expect(origin.mediaRequests.isEmpty)
            let printed = try await blocking { try output.drain() }
            try await blocking { [process] in process.waitUntilExit() }
            #expect(process.terminationStatus == 0)
            let lines = printed.drop { $0 == " " }.split(separator: "\n")
            #expect(Outcome.object(lines.first ?? "")["playlist_url"] is String)
        }
    }

    @Test("with a server on the store, that does the work, and each segment is fetched once")
    func handedOver() async throws {
        try await withOrigin { program, origin, url in
            try await program.serving { ready in
                let outcome = try await program.run(
                    "download", url, "--json", "--meta", "myKey=1", "--audio", "none", "--header", "X-Own: 1")
                #expect(outcome.status == 0)
                let first = Outcome.object(outcome.lines.first ?? "")
                #expect((first["playlist_url"] as? String)?.hasPrefix("\(ready.url)/") == true)
                let last = Outcome.object(outcome.lines.last ?? "")
                #expect(last["state"] as? String == "complete")
                #expect(last["meta"] as? [String: String] == ["myKey": "1"])
                let paths = origin.mediaRequests.map(\.path)
                #expect(origin.mediaIsAskedForOnce)
                #expect(!paths.contains { $0.hasPrefix("/audio/") })
                #expect(origin.mediaRequests.allSatisfy { $0.header("X-Own") == "1" })
            }
        }
    }

    @Test("SIGINT ends it with the command to continue, which fetches only missing units")
    func interrupted() async throws {
        try await withOrigin { program, origin, url in
            origin.fault("/video/2.ts", .holdHeader)
            let running = try await program.start(["download", url, "--json"])
            let first = Outcome.object(try await running.line(0))
            let token = try #require((first["token"] as? String).flatMap { AssetToken($0) })
            let reader = try StoreReader(root: FilePath(program.store.path))
            try await eventually { (try reader.progress(of: token)?.storedBytes ?? 0) > 65536 }
            try await eventually { !origin.requests(for: "/video/2.ts").isEmpty }
            running.signal(SIGINT)
            let outcome = try await running.end()
            #expect(outcome.status == 130)
            #expect(
                outcome.errors.contains("%) is kept and plays; `offline-server download \(token)` goes on"))
            #expect(try reader.progress(of: token)?.state == .queued)
            origin.clearFaults("/video/2.ts")
            origin.release()
            origin.forgetRequests()
            let resumed = try await program.run("download", token.description, "--json")
            #expect(resumed.status == 0)
            #expect(Outcome.object(resumed.lines.last ?? "")["state"] as? String == "complete")
            #expect(!origin.requests(for: "/video/2.ts").isEmpty && origin.mediaIsAskedForOnce)
            #expect(Set(origin.mediaRequests.map(\.path)).count < SampleStream.served.count)
        }
    }

    @Test("SIGINT ends it also if a server does the work, which continues")
    func interruptedWatching() async throws {
        try await withOrigin { program, origin, url in
            origin.fault("/video/2.ts", .holdHeader, times: 1)
            try await program.serving { _ in
                let running = try await program.start(["download", url, "--json"])
                let first = Outcome.object(try await running.line(0))
                let token = try #require((first["token"] as? String).flatMap { AssetToken($0) })
                _ = try await running.line(1)
                running.signal(SIGINT)
                let outcome = try await running.end()
                let next = " goes on with it; `offline-server status \(token) --follow` shows it\n"
                #expect(outcome.status == 130 && outcome.errors.contains(next), "\(outcome.errors)")
                let reader = try StoreReader(root: FilePath(program.store.path))
                #expect(try reader.progress(of: token)?.state.isTerminal == false)
                try await releasing(origin) {
                    try await eventually { try reader.progress(of: token)?.state == .complete }
                }
            }
        }
    }

    @Test(
        "an origin with an authority of one's own is trusted with --ca, for all that comes from it, and not without",
        .enabled(if: SecureOrigin.runs, "needs nginx and openssl"))
    func authority() async throws {
        let origin = try SecureOrigin()
        try SampleStream().write(to: origin.folder)
        let program = try Program()
        let refused = try await program.run("download", origin.url("/master.m3u8"))
        #expect(refused.status == 1 && refused.errors.contains("--ca FILE"))
        let outcome = try await program.run(
            "download", origin.url("/master.m3u8"), "--ca", origin.certificate, "--json")
        #expect(outcome.status == 0)
        #expect(outcome.lines.last.map { Outcome.object($0)["state"] as? String } == "complete")
        withExtendedLifetime(origin) {}
    }

    @Test("an option that can't hold for an asset that is there is refused, instead of being passed over")
    func optionsWithToken() async throws {
        let (program, token) = try await Program.withSample()
        for options in [
            ["--limit-rate", "500k"], ["--rental", "1d"], ["--purchase"], ["--max-height", "480"],
            ["--audio", "none"], ["--schedule", "22:00-06:00"], ["--name", "N"], ["--header", "A: b"],
            ["--priority", "0"], ["--metered-ok"], ["--allow-missing-key"], ["--next", "1"],
            ["--meta", "a=b"], ["--from", "1"], ["--live"], ["--interstitials", "drop"],
            ["--subtitle-file", "a.srt:de"], ["http://127.0.0.1:1/a.m3u8", "--max-height", "480"],
        ] {
            let outcome = try await program.run(["download", token.description] + options)
            #expect(outcome.status == 64, "\(options)")
            #expect(outcome.errors.contains("add-tracks"), "\(options)")
        }
        let list = try program.store.write(Array("\(token)\n".utf8), to: "list")
        for options in [["--quiet", "--json"], ["--detach"], ["--verbose", "--input", list]] {
            let outcome = try await program.run(["download", token.description] + options)
            #expect(outcome.status == 0, "\(options)")
        }
    }

    @Test("--detach returns when the asset is added, and the server downloads it")
    func detached() async throws {
        try await withOrigin { program, origin, url in
            try await program.serving { _ in
                let outcome = try await program.run("download", url, "--detach", "--json")
                #expect(outcome.lines.count == 1)
                let token = try #require((outcome.object["token"] as? String).flatMap { AssetToken($0) })
                let reader = try StoreReader(root: FilePath(program.store.path))
                try await eventually { try reader.progress(of: token)?.state == .complete }
            }
        }
    }

    @Test("--dry-run shows the needed space and stores nothing")
    func dryRun() async throws {
        try await withOrigin { program, origin, url in
            let outcome = try await program.run("download", url, "--dry-run", "--json")
            #expect(outcome.status == 0)
            #expect((outcome.object["renditions"] as? [Any])?.count == 3)
            #expect(outcome.object["estimate"] is [String: Any])
            #expect(origin.mediaRequests.filter { $0.method == "GET" && $0.header("Range") == nil }.isEmpty)
            #expect(try await program.run("list", "--json").array.isEmpty)
        }
    }

    @Test("--dry-run of an unknown token ends with 3, of another one with the command for its missing units")
    func dryRunOfToken() async throws {
        let (program, token) = try await Program.withSample()
        let unknown = "01HZX3T5E8M9K2Q4R6S7V8W9XA"
        for words in [[unknown], [token.description, unknown]] {
            let outcome = try await program.run(["download", "--dry-run"] + words)
            #expect(outcome.status == 3 && outcome.errors.contains(unknown), "\(words)")
        }
        let known = try await program.run("download", token.description, "--dry-run")
        #expect(known.status == 64 && known.output.isEmpty)
        #expect(known.errors.contains("`offline-server status TOKEN`"))
    }

    @Test(
        "--dry-run takes the same streams as the download: with --allow-missing-key those of key systems, too"
    )
    func dryRunOfProtected() async throws {
        try await withOrigin { program, origin, _ in
            let key =
                #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery""#
            origin.serve(
                "/drm.m3u8",
                text: "#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(key)\n#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n")
            let words = ["download", origin.url("/drm.m3u8"), "--dry-run"]
            let refused = try await program.run(words)
            let allowed = try await program.run(words + ["--allow-missing-key"])
            #expect(refused.status == 1 && allowed.status == 0)
        }
    }

    @Test("a segment that can't be fetched ends it with 1, the reason and the command that continues it")
    func failed() async throws {
        try await withOrigin { program, origin, url in
            origin.fault("/video/1.ts", .status(403))
            let outcome = try await program.run("download", "\(url)?secret=1", "--json")
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("403"))
            #expect(!(outcome.errors + outcome.output).contains("secret"))
            let last = Outcome.object(outcome.lines.last ?? "")
            #expect(last["state"] as? String == "failed")
            let error = try #require(last["error"] as? [String: Any])
            #expect(error["class"] as? String == "auth")
            for name in ["message", "url", "retryable", "at"] { #expect(error[name] != nil) }
            let token = try #require(last["token"] as? String)
            #expect(outcome.errors.contains("offline-server download \(token)"))
            origin.clearFaults("/video/1.ts")
            #expect(try await program.run("repair", token).status == 0)
            #expect(try await program.run("playable", token).status == 0)
        }
    }
}

/// A pipe that accepts nothing until it is drained, so that printing blocks.
struct FullPipe: Sendable {
    private let pipe = Pipe()
    var writer: FileHandle { pipe.fileHandleForWriting }

    init() throws {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 4096)
        while unsafe write(descriptor, blanks, blanks.count) > 0 {}
        _ = fcntl(descriptor, F_SETFL, flags)
    }

    /// Leaves the other process as the only writer.
    func closeWriter() { try? pipe.fileHandleForWriting.close() }

    /// All output until the other process ends.
    func drain() throws -> String {
        String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
}
