import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("A command that hands its work to the server of its store", .fewAtOnce, .timeLimit(.minutes(2)))
struct HandedOverTests {
    @Test("names a rendition that can't be read")
    func lost() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.serve("/text/en.m3u8", text: "gone", contentType: "text/plain")
        let program = try Program()
        try await program.serving { _ in
            let told = try await program.run("download", url, "--detach", "--json")
            #expect(told.status == 0)
            let lost = try #require(Outcome.object(told.lines[0])["lost"] as? [String])
            #expect(lost.count == 1 && lost.first?.hasPrefix("subtitles en (English): ") == true)
            let read = try await program.run("download", url, "--detach")
            #expect(read.errors.contains("left out: subtitles en (English): "))
        }
        origin.stop()
    }

    @Test("names the asset that was made of the same address before, with a server and without")
    func existing() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        let first = try await program.run("download", url, "--detach", "--json")
        #expect(Outcome.object(first.lines[0])["existing"] is NSNull)
        var known = try #require(Outcome.object(first.lines[0])["token"] as? String)
        func expectTold(_ arguments: String...) async throws {
            let json = try await program.run(arguments + [url, "--json"])
            let line = Outcome.object(json.lines[0])
            #expect(json.status == 0 && line["existing"] as? String == known, "\(arguments)")
            known = try #require(line["token"] as? String)
            let told = try await program.run(arguments + [url])
            #expect(
                told.errors.contains("`offline-server download \(known)` fetches what it lacks"),
                "\(arguments)")
            known = String(told.output.prefix { $0 != " " })
        }
        try await expectTold("download", "--detach")
        try await expectTold("preload")
        try await program.serving { _ in
            try await expectTold("download", "--detach")
            let two = try await program.run("download", "--detach", "--json", url, url)
            let lines = two.lines.map { Outcome.object($0) }
            #expect(lines.first?["existing"] as? String == known)
            #expect(lines.last?["existing"] as? String == lines.first?["token"] as? String)
            let many = try await program.run("download", "--detach", url, url, url)
            #expect(many.errors.contains("3 of the 3 new assets have the address"))
            #expect(!many.errors.contains("of the same address"))
        }
        origin.stop()
    }

    @Test("imports the selected renditions, and names those that could not be read")
    func imported() async throws {
        let program = try Program()
        let source = try TemporaryDirectory()
        try SampleStream().write(to: source)
        try FileManager.default.removeItem(atPath: source.file("text/en.m3u8"))
        try await program.serving { _ in
            let all = try await program.run("import", source.path, "--json")
            #expect((all.object["lost"] as? [String])?.count == 1)
            let some = try await program.run("import", source.path, "--subtitles", "none", "--json")
            #expect((some.object["lost"] as? [String])?.isEmpty == true)
            let renditions = some.object["renditions"] as? [[String: Any]] ?? []
            #expect(renditions.compactMap { $0["id"] as? String } == ["video-360p", "audio-en"])
        }
    }

    @Test("a command whose server is killed says that in a sentence")
    func killed() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let path = try #require(URLComponents(string: url)?.path)
        origin.fault(path, .holdHeader, times: 1)
        let program = try Program()
        let server = try await program.start(["serve", "--json", "--listen", "127.0.0.1:0"])
        let ready = try Program.Ready(await server.line(0))
        async let told = program.run("download", url, "--detach")
        #expect(await origin.waitForRequests(1))
        kill(ready.pid, SIGKILL)
        let outcome = try await told
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("ended before it answered"))
        _ = try await server.end()
        origin.stop()
    }

    @Test("refuses wrong usage in the same way with a server and without")
    func wrongUsage() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        let wrong = [
            ["download", url, "--audio", "xx"], ["preload", url, "--audio", "xx"],
            ["preload", "ftp://a.test/x.m3u8"],
        ]
        for command in wrong { #expect(try await program.run(command).status == 64, "\(command)") }
        try await program.serving { _ in
            for command in wrong {
                let told = try await program.run(command)
                #expect(told.status == 64 && told.output.isEmpty, "\(command)")
                #expect(told.errors.hasPrefix("offline-server: "))
            }
        }
        origin.stop()
    }

    @Test("shows the server's rate, for download, status and list")
    func speed() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        origin.fault("/video/2.ts", .holdHeader)
        let program = try Program()
        try await program.serving { _ in
            let running = try await program.start(["download", url, "--json"])
            let token = try #require(Outcome.object(try await running.line(0))["token"] as? String)
            try await eventually { Self.isFast(try await program.run("status", token, "--json").object) }
            try await eventually {
                Self.isFast(try await program.run("list", "--json").array.first ?? [:])
            }
            try await eventually {
                try running.output().split(separator: "\n").contains { Self.isFast(Outcome.object($0)) }
            }
            origin.clearFaults("/video/2.ts")
            let outcome = try await releasing(origin) { try await running.end() }
            #expect(outcome.status == 0)
        }
        origin.stop()
    }

    private static func isFast(_ object: [String: Any]) -> Bool { object["speed"] as? Double ?? 0 > 0 }
}
