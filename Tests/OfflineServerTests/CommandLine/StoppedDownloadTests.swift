import AssetStore
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import OfflineServer

/// The end of `download`: its status, and the calls of hooks.
@Suite(.fewAtOnce, .timeLimit(.minutes(2)))
struct StoppedDownloadTests {
    @Test("a stop gives status 130 and the command to continue, at any time", arguments: 1...4)
    func stopped(_ round: Int) async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        origin.fault("/video/2.ts", .holdHeader)
        if round % 2 == 0 {
            try program.store.write(Array(#"{"storage": {"quota": 5}}"#.utf8), to: "config.json")
        }
        let running = try await program.start(["download", url])
        _ = try await running.line(0)
        try await eventually { round % 2 == 0 || !origin.requests(for: "/video/2.ts").isEmpty }
        running.signal(SIGTERM)
        let outcome = try await running.end()
        #expect(outcome.status == 130, "\(outcome.errors)")
        #expect(outcome.errors.contains(" goes on"), "\(outcome.errors)")
        origin.release()
        origin.stop()
    }

    @Test("hooks are called for its end before it ends, once, with all facts")
    func hooks() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        let told = program.store.file("told")
        let settings =
            #"{"hooks": [{"on": ["complete"], "command": ["sh", "-c", "sleep 0.5; cat >>\#(told); echo >>\#(told)"]}]}"#
        try program.store.write(Array(settings.utf8), to: "config.json")
        #expect(try await program.run("download", url).status == 0)
        let text = String(decoding: try program.store.read("told"), as: UTF8.self)
        #expect(Outcome.object(text)["state"] as? String == "complete", "\(text)")
        #expect(try await program.run("download", url).status == 0)
        let lines = String(decoding: try program.store.read("told"), as: UTF8.self).split(separator: "\n")
        #expect(
            Set(lines.compactMap { Outcome.object($0)["token"] as? String }).count == 2 && lines.count == 2)
        origin.stop()
    }

    @Test("if the origin has another stream, status names the choices, and not a retry")
    func otherStream() async throws {
        let origin = try OriginServer()
        publish(on: origin, packets: 20)
        let program = try Program()
        let outcome = try await program.run("download", origin.url("/d/index.m3u8"), "--json")
        let token = try #require(Outcome.object(outcome.lines.first ?? "")["token"] as? String)
        let folder = "\(program.store.path)/assets/\(token)/video"
        try FileManager.default.removeItem(atPath: "\(folder)/1.ts")
        publish(on: origin, packets: 30)
        #expect(try await program.run("repair", token).status == 1)
        let told = try await program.run("status", token).output
        #expect(
            told.contains("`offline-server resume \(token) --accept-changes` fetches the new one"), "\(told)")
        #expect(!told.contains("tries it again") && !told.contains("TOKEN"))
        origin.stop()
    }

    @Test("if a folder's own files are damaged, no repair is advised")
    func damagedFolder() async throws {
        let program = try Program()
        let folder = try TemporaryDirectory()
        try folder.write(
            Array("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n#EXT-X-ENDLIST\n".utf8),
            to: "index.m3u8")
        try folder.write([UInt8](repeating: 0, count: 1880), to: "0.ts")
        #expect(try await program.run("import", folder.path).status == 2)
        for (command, folder) in [
            ("status", "the same in the imported folder"), ("verify", "the folder that it was imported from"),
        ] {
            let outcome = try await program.run(command)
            #expect(outcome.output.contains("no player can decode"), "\(outcome.output)")
            #expect(outcome.output.contains(folder), "\(outcome.output)")
            #expect(!outcome.output.contains("repair"), "\(outcome.output)")
        }
    }

    private func publish(on origin: OriginServer, packets: Int) {
        for name in ["0", "1"] {
            origin.serve(
                "/d/\(name).ts", bytes: SampleMedia.transportStream(packets), contentType: "video/mp2t")
        }
        origin.serve(
            "/d/index.m3u8",
            text: "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n0.ts\n#EXTINF:2,\n1.ts\n#EXT-X-ENDLIST\n")
    }
}
