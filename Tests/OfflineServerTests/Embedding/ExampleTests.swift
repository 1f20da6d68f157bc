import Foundation
import TestSupport
import Testing

/// A program of `Examples`, which the build puts beside the test bundle.
struct ExampleProgram: Sendable {
    let folder: TemporaryDirectory
    let process = Process()
    private let input = Pipe()

    init(_ name: String, _ arguments: [String]) throws {
        folder = try TemporaryDirectory()
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: bundle).deletingLastPathComponent().appending(path: name)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "--foreground", "--kill-after=2", "60", program.path] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
            $1
        }
        process.standardInput = input
        try Data().write(to: URL(filePath: folder.file("output")))
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.file("output")))
        try process.run()
    }

    /// Everything that was printed so far.
    func output() throws -> String { String(decoding: try folder.read("output"), as: UTF8.self) }

    /// Closes its standard input and waits for its end; returns its output.
    func end() async throws -> String {
        try input.fileHandleForWriting.close()
        try await eventually { !process.isRunning }
        #expect(process.terminationStatus == 0)
        return try output()
    }
}

@Suite("The example", .fewAtOnce, .timeLimit(.minutes(2)))
struct ExampleTests {
    private let origin: OriginServer
    private let folder: TemporaryDirectory

    init() throws {
        origin = try OriginServer()
        folder = try TemporaryDirectory()
    }

    @Test(
        "EmbeddedPlayer has a player get its playlist, shows progress, and ends with an asset that plays offline"
    )
    func embeddedPlayer() async throws {
        let stream = SampleStream().publish(on: origin)
        let player = ["curl", "--silent", "--show-error", "--output", folder.file("played")]
        let program = try ExampleProgram("EmbeddedPlayer", [folder.file("store"), stream] + player)
        let lines = try await program.end().split(separator: "\n")
        #expect(lines.last == "plays offline")
        #expect(lines.dropLast().last?.hasPrefix("100 %") == true)
        try await eventually {
            let played = FileManager.default.contents(atPath: folder.file("played")) ?? Data()
            return String(decoding: played, as: UTF8.self).hasPrefix("#EXTM3U")
        }
        let again = try ExampleProgram("EmbeddedPlayer", [folder.file("store"), stream])
        #expect(try await again.end().contains(#/playing at http://127.0.0.1:\d+/assets/\w+/master.m3u8/#))
        origin.stop()
    }

    @Test("KeyProvider gets the keys of a key system from its own back end")
    func keyProvider() async throws {
        var files = SampleStream().files
        let playlist = String(decoding: files["video/360.m3u8"] ?? [], as: UTF8.self)
        files["video/360.m3u8"] = Array(
            playlist.replacing(
                "URI=\"clip.key\"",
                with: "URI=\"skd://acme/film-1\",KEYFORMAT=\"com.apple.streamingkeydelivery\""
            ).utf8)
        files["video/clip.key"] = nil
        for (name, bytes) in files { origin.serve("/\(name)", bytes: bytes) }
        let keys = try JSONEncoder().encode(["film-1": Data(SampleStream.key)])
        try folder.write(Array(keys), to: "keys.json")
        let arguments = [folder.file("store"), origin.url("/master.m3u8"), folder.file("keys.json")]
        let output = try await ExampleProgram("KeyProvider", arguments).end()
        #expect(output.hasPrefix("the license is valid until 2"))
        origin.stop()
    }

    @Test("Subtitles merges segments, writes SubRip and draws the text of a moment")
    func subtitles() async throws {
        let cue = "00:05.000 --> 00:07.000\nAcross the seam\n"
        try folder.write(Array("WEBVTT\n\n00:01.000 --> 00:02.000\nFirst\n\n\(cue)".utf8), to: "0.vtt")
        try folder.write(Array("WEBVTT\n\n\(cue)".utf8), to: "1.vtt")
        let arguments = ["6", folder.file("0.vtt"), folder.file("1.vtt")]
        let output = try await ExampleProgram("Subtitles", arguments).end().replacing("\r\n", with: "\n")
        #expect(
            output.hasPrefix(
                """
                1
                00:00:01,000 --> 00:00:02,000
                First

                2
                00:00:05,000 --> 00:00:07,000
                Across the seam

                """))
        #expect(output.contains("          Across the seam"))
    }

    @Test("CustomRoutes lists a shelf, and downloads addresses that are put there")
    func customRoutes() async throws {
        let program = try ExampleProgram("CustomRoutes", [folder.file("store")])
        try await eventually { try program.output().contains("\n") }
        let port = try #require(try program.output().firstMatch(of: #/127.0.0.1:(\d+)/#)?.1)
        let (number, stream) = (try #require(UInt16(port)), SampleStream().publish(on: origin))
        func ask(_ method: String, _ body: String = "") async throws -> Reply {
            let text =
                "\(method) /shelf HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            return try await blocking {
                let client = try RawHTTPClient(port: number)
                client.send(text)
                return Reply(client.readToEnd(), toHead: false)
            }
        }
        #expect(try await ask("GET").text == "[]")
        let created = try await ask("POST", stream)
        #expect(created.status == 201)
        let id = created.text.trimmingCharacters(in: .newlines)
        #expect(try await ask("GET").text.contains(id))
        #expect(try await ask("DELETE").status == 405)
        _ = try await program.end()
        origin.stop()
    }
}

@Suite("The page about embedding") struct EmbeddingPageTests {
    private let root = URL(filePath: #filePath).appending(path: "../../../../").standardized

    /// The marked snippets of the examples, without the indentation that they have in common.
    private func snippets() throws -> [String] {
        let examples = root.appending(path: "Examples")
        var found: [String] = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: examples.path).sorted()
        where name.hasSuffix(".swift") {
            let source = try String(contentsOf: examples.appending(path: name), encoding: .utf8)
            for part in source.split(separator: #/ *\/\/ snippet: .*\n/#).dropFirst() {
                let text = try #require(part.split(separator: #/ *\/\/ end\n/#).first)
                let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
                found.append(lines.map { $0.dropFirst(indent) }.joined(separator: "\n"))
            }
        }
        return found
    }

    @Test("shows the examples as they are built, line for line") func examples() throws {
        let page = try String(contentsOf: root.appending(path: "docs/embedding.md"), encoding: .utf8)
        let blocks = page.split(separator: "```swift\n").dropFirst().compactMap {
            $0.split(separator: "```\n").first.map(String.init)
        }
        let snippets = try snippets()
        #expect(blocks.count >= 5)
        for block in blocks { #expect(snippets.contains(block), "\(block)") }
    }

    @Test("is linked from the README") func link() throws {
        let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        #expect(readme.contains("(docs/embedding.md)"))
    }
}
