import Foundation
import TestSupport
import Testing

@testable import OfflineServer

@Suite("The subtitles commands", .fewAtOnce, .timeLimit(.minutes(2)))
struct SubtitleCommandTests {
    private let subtitles = "WEBVTT\n\na\n00:01.000 --> 00:02.000 line:0\n<i>Hi</i>\n\nbad --> bad\nx\n"

    @Test("parse prints the cues as JSON or in another format, and names skipped parts")
    func parse() async throws {
        let program = try Program()
        let file = try program.store.write(Array(subtitles.utf8), to: "a.vtt")
        let parsed = try await program.run("subtitles", "parse", file, "--tree")
        #expect(parsed.status == 0)
        let cue = try #require((parsed.object["cues"] as? [[String: Any]])?.first)
        #expect(cue["id"] as? String == "a" && cue["line"] as? Int == 0)
        #expect(((cue["tree"] as? [[String: Any]])?.first?["name"]) as? String == "i")
        #expect(parsed.errors.contains("line 7"))
        let text = try await program.run("--quiet", "subtitles", "parse", file, "--format", "text")
        #expect(text.output == "Hi\n" && text.errors.isEmpty)
        let ass = try await program.run("subtitles", "parse", file, "--format", "ass")
        #expect(ass.output.contains("{\\an8\\pos(640,0)}{\\i1}Hi{\\i0}"))
    }

    @Test("parse refuses other files with status 1 and one sentence")
    func refusal() async throws {
        let program = try Program()
        for content in ["", "<html>", "1\n00:00:01,000 --> 00:00:02,000\na\n", "WEBVTTx\n"] {
            let file = try program.store.write(Array(content.utf8), to: "a.vtt")
            let outcome = try await program.run("subtitles", "parse", file)
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.split(separator: "\n").count == 1)
        }
        #expect(try await program.run("subtitles", "parse", "/no/such/file").status == 1)
        let subRip = try program.store.write(Array("1\n00:00:01,000 --> 00:00:02,000\na\n".utf8), to: "a.srt")
        let read = try await program.run("subtitles", "parse", subRip, "--any-format", "--format", "vtt")
        #expect(read.output == "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\na\n\n")
    }

    @Test("merge joins the segments of a playlist on the clock of the media")
    func merge() async throws {
        let program = try Program()
        for number in 0..<2 {
            let segment = """
                WEBVTT
                X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00.000

                00:03.500 --> 00:04.500
                border
                """
            try program.store.write(Array(segment.utf8), to: "\(number).vtt")
        }
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.vtt\n#EXTINF:4,\n1.vtt\n#EXT-X-ENDLIST\n"
        let file = try program.store.write(Array(list.utf8), to: "list.m3u8")
        let merged = try await program.run(
            "subtitles", "merge", file, "--init-pts", "810000", "--format", "srt")
        #expect(merged.output == "1\r\n00:00:04,500 --> 00:00:05,500\r\nborder\r\n\r\n")
        #expect(try await program.run("subtitles", "merge", file, "--init-pts", "x").status == 64)
        #expect(try await program.run("subtitles", "merge", program.store.file("0.vtt")).status == 1)
    }

    @Test("render shows a moment of a file as a picture, as boxes and as text, by the name of the output")
    func render() async throws {
        let program = try Program()
        let file = try program.store.write(Array(subtitles.utf8), to: "a.vtt")
        let common = ["subtitles", "render", file, "--at", "1.5", "--size", "640x360"]
        for (name, beginning) in [("f.png", "\u{89}PNG"), ("f.html", "<div class"), ("f.txt", "")] {
            let target = program.store.file(name)
            #expect(try await program.run(common + ["-o", target]).status == 0)
            let bytes = try program.store.read(name)
            #expect(bytes.starts(with: beginning.unicodeScalars.map { UInt8($0.value) }))
        }
        #expect(String(decoding: try program.store.read("f.txt"), as: UTF8.self).hasSuffix("Hi\n"))
        let boxes = try await program.run(common + ["--format", "json"])
        let cue = try #require((boxes.object["cues"] as? [[String: Any]])?.first)
        #expect(cue["y"] as? Double == 0 && boxes.object["width"] as? Int == 640)
        let before = try await program.run(
            "subtitles", "render", file, "--at", "0:00:00.5", "--size", "640x360", "--format", "json")
        #expect((before.object["cues"] as? [Any])?.isEmpty == true)
    }

    @Test("with --json, render reports its file, and get prints JSON")
    func json() async throws {
        let (program, token) = try await Program.withSample()
        let target = program.store.file("f.png")
        let common = ["subtitles", "render", "\(token)", "en", "--at", "0.5", "--size", "640x360", "--json"]
        let report = try await program.run(common + ["-o", target])
        #expect(try program.store.read("f.png").starts(with: [0x89, 0x50]))
        #expect(report.object["output"] as? String == target && report.object["format"] as? String == "png")
        #expect(report.object["width"] as? Int == 640)
        #expect(try await program.run(common).object["cues"] != nil)
        let track = try await program.run("subtitles", "get", "\(token)", "en", "--json")
        #expect((track.object["cues"] as? [Any])?.count == 4)
        let named = try await program.run("subtitles", "get", "\(token)", "en", "--json", "--format", "vtt")
        #expect(named.output.hasPrefix("WEBVTT"))
    }

    @Test("render refuses invalid times, sizes and outputs")
    func renderUsage() async throws {
        let program = try Program()
        let file = try program.store.write(Array(subtitles.utf8), to: "a.vtt")
        for wrong in [["--at", "x"], ["--at", "1", "--size", "9x9"], ["--at", "1", "-o", "f.gif"], []] {
            #expect(try await program.run(["subtitles", "render", file] + wrong).status == 64)
        }
        #expect(try await program.run("subtitles", "render", "/no/such", "--at", "1").status == 1)
        let page = try program.store.write(Array("<html>".utf8), to: "b.vtt")
        #expect(
            try await program.run("subtitles", "render", page, "--at", "1", "--format", "ansi").status == 1)
    }

    @Test("render shows a moment of an asset")
    func renderAsset() async throws {
        let (program, token) = try await Program.withSample()
        let boxes = try await program.run(
            "subtitles", "render", "\(token)", "en", "--at", "0.5", "--format", "json")
        #expect(boxes.status == 0 && boxes.output.contains("\"text\":\"Line 0\""))
        #expect(try await program.run("subtitles", "render", "\(token)", "xx", "--at", "0").status == 1)
    }

    @Test("list and get show the tracks of an asset; a missing language is an error")
    func tracks() async throws {
        let (program, token) = try await Program.withSample()
        let list = try await program.run("subtitles", "list", "\(token)")
        #expect(list.status == 0 && list.lines.count == 2)
        #expect(list.lines.last?.hasPrefix("en    English  English") == true)
        let json = try await program.run("--json", "subtitles", "list", "\(token)")
        #expect((json.object["subtitles"] as? [[String: Any]])?.count == 1)
        let track = try await program.run("subtitles", "get", "\(token)", "en-US", "--format", "srt")
        #expect(track.output.hasPrefix("1\r\n00:00:00,000 --> 00:00:01,000\r\nLine 0\r\n"))
        let none = try await program.run("subtitles", "get", "\(token)", "de")
        #expect(none.status == 1 && none.errors.contains("it has: en"))
        let unknown = try await program.run("subtitles", "list", "01HZX3T5E8M9K2Q4R6S7V8W9XA")
        #expect(unknown.status == 3)
    }

    @Test("download --subtitle-file adds a file of another format to the asset")
    func download() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        let program = try Program()
        let file = try program.store.write(
            Array("1\n00:00:01,000 --> 00:00:02,000\nHallo\n".utf8), to: "f.srt")
        let made = try await program.run("download", url, "--subtitle-file", "\(file):de", "--json")
        #expect(made.status == 0)
        let asset = Outcome.object(made.lines.last ?? "")
        #expect(asset["subtitle_languages"] as? [String] == ["en", "de"])
        #expect(asset["uses_sideband_subtitles"] as? Bool == true)
        let token = try #require(asset["token"] as? String)
        let track = try await program.run("subtitles", "get", token, "de", "--format", "text")
        #expect(track.output == "Hallo\n")
        #expect(try await program.run("download", url, "--subtitle-file", "x.srt").status == 64)
        origin.stop()
    }
}
