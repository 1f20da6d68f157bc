import SidebandSubtitles
import Testing

@Suite("A WebVTT file")
struct ParserTests {
    @Test(
        "that is not WebVTT is refused with the reason",
        arguments: [
            ("", WebVTTError.Code.empty), ("<!DOCTYPE html><html>", .webPage), ("\n\n <html>", .webPage),
            ("1\n00:00:01,000 --> 00:00:02,000\nx\n", .subRip), ("\u{FEFF}1\r\n00:00:01,000", .subRip),
            ("WEBVTTX\n", .missingSignature), ("webvtt\n", .missingSignature),
            (" WEBVTT\n", .missingSignature),
            ("42", .missingSignature),
        ])
    func refusals(text: String, code: WebVTTError.Code) {
        #expect(refusal(text) == code)
    }

    @Test("in UTF-16 is refused as such, in either byte order")
    func utf16() {
        #expect(refusal([0xFF, 0xFE, 0x57, 0x00]) == .utf16)
        #expect(refusal([0xFE, 0xFF, 0x00, 0x57]) == .utf16)
    }

    @Test("with more bytes or cues than the limits is refused")
    func limits() {
        var limits = WebVTTLimits()
        limits.bytes = 10
        limits.cues = 1
        #expect(refusal("WEBVTT\n\n\n\n", limits: limits) == nil)
        #expect(refusal("WEBVTT\n\n\n\n\n", limits: limits) == .tooManyBytes)
        limits.bytes = 1000
        let one = "00:00.000 --> 00:01.000\nx\n\n"
        #expect(refusal("WEBVTT\n\n" + one, limits: limits) == nil)
        #expect(refusal("WEBVTT\n\n" + one + one, limits: limits) == .tooManyCues)
    }

    @Test("keeps the cues around a damaged one")
    func damagedNeighbor() throws {
        let found = try cues(
            """
            00:01.000 --> 00:02.000
            one

            00:03.000 --> nonsense
            lost

            00:61.000 --> 00:62.000
            lost

            00:05.000 --> 00:06.000
            two
            00:07.000 --> 00:08.000
            three
            """)
        #expect(summary(found) == ["1.0 2.0 one", "5.0 6.0 two", "7.0 8.0 three"])
    }

    @Test("may end its lines with CR, LF or CRLF, and blank lines count the same")
    func lineEnds() throws {
        let lines = [
            "WEBVTT", "", "id", "00:01.000 --> 00:02.000", "a", "b", "", "", "00:03.000 --> 00:04.000", "c",
        ]
        let expected = try file(lines.joined(separator: "\n")).track
        #expect(expected.cues.map(\.text) == ["a\nb", "c"])
        for end in ["\r", "\r\n"] {
            #expect(try file(lines.joined(separator: end)).track == expected)
        }
    }

    @Test("may have NUL and invalid UTF-8, which become U+FFFD")
    func replacement() throws {
        let bytes =
            Array("WEBVTT\n\ni\0d\n00:01.000 --> 00:02.000\n".utf8) + [0x61, 0, 0xFF, 0xE2, 0x82, 0x7A]
        let file = try WebVTTFile(parsing: bytes)
        #expect(file.track.cues.first?.identifier == "i\u{FFFD}d")
        #expect(file.track.cues.first?.text == "a\u{FFFD}\u{FFFD}\u{FFFD}z")
        #expect(file.warnings.map(\.code) == [.invalidUTF8])
    }

    @Test(
        "replaces each part of a damaged sequence as the WHATWG Encoding standard does",
        arguments: [
            ([0xE0, 0x80, 0x80], 3), ([0xF4, 0x90, 0x80, 0x80], 4), ([0xED, 0xA0, 0x80], 3),
            ([0xF0, 0x9F, 0x91], 1), ([0xC3], 1), ([0xC0, 0xAF], 2), ([0xF0, 0x80, 0x80, 0x41], 3),
        ] as [([UInt8], Int)])
    func damagedSequences(bytes: [UInt8], count: Int) throws {
        let file = try WebVTTFile(parsing: Array("WEBVTT\n\n00:01.000 --> 00:02.000\n".utf8) + bytes)
        let text = try #require(file.track.cues.first?.text)
        #expect(text.unicodeScalars.filter { $0 == "\u{FFFD}" }.count == count)
    }

    @Test("keeps its header lines, and its timestamp map apart")
    func header() throws {
        let file = try file(
            "WEBVTT - Title\nKind: captions\nX-TIMESTAMP-MAP=LOCAL:00:01.000,MPEGTS:900000\nx\n\n")
        #expect(file.headerLines == ["- Title", "Kind: captions", "x"])
        #expect(file.timestampMap == TimestampMap(local: CueTime(milliseconds: 1000), mpegTicks: 900_000))
    }

    @Test("reports skipped parts with their lines")
    func warnings() throws {
        let file = try file(
            """
            WEBVTT
            X-TIMESTAMP-MAP=MPEGTS:abc

            NOTE fine

            lost
            block

            REGION
            id:r width:half

            00:02.000 --> 00:01.000 colour:red
            a
            00:02.000 -> 00:03.000
            00:x --> 00:y
            b

            STYLE
            ::cue {}
            """)
        let expected: [WebVTTWarning] = [
            .init(.unreadableTimestampMap, line: 2), .init(.unknownBlock, line: 6),
            .init(.unknownRegionSetting, line: 9), .init(.endBeforeStart, line: 12),
            .init(.unknownCueSetting, line: 12), .init(.missingBlankLine, line: 15),
            .init(.unreadableTimings, line: 15), .init(.lateDefinition, line: 18),
        ]
        #expect(file.warnings == expected)
        #expect(file.warnings.first?.description == "line 2: the timestamp map cannot be read")
    }

    @Test("has comments after NOTE alone, timings in a line with an arrow, and cues that last no time at all")
    func comments() throws {
        func warnings(_ block: String) throws -> [WebVTTWarning.Code] {
            try file("WEBVTT\n\n\(block)").warnings.map(\.code)
        }
        for comment in ["NOTE", "NOTE\n", "NOTE\tx", "NOTE x\ny"] {
            #expect(try warnings(comment).isEmpty, "\(comment)")
        }
        for other in ["NOT", "NOTES", "NOTES\nx", "note"] {
            #expect(try warnings(other) == [.unknownBlock], "\(other)")
        }
        #expect(try warnings("00:01.000 --> 00:01.000\nx").isEmpty)
        #expect(try warnings("00:01.000 --> 00:00.999\nx") == [.endBeforeStart])
        #expect(try warnings("-->\n") == [.unreadableTimings])
        #expect(try warnings("->\n") == [.unknownBlock])
    }

    @Test("with very many faults keeps the first thousand warnings and counts all")
    func manyWarnings() throws {
        let file = try file("WEBVTT\n\n" + String(repeating: "-->\n\n", count: 3000))
        #expect(file.warnings.count == 1000)
        #expect(file.warningCount == 3000)
    }

    @Test("with very many regions and header lines keeps the first of them")
    func manyBlocks() throws {
        var limits = WebVTTLimits()
        limits.blocks = 3
        let text = "WEBVTT\na\nb\nc\nd\n\n" + String(repeating: "REGION\nid:x\n\nSTYLE\na\n\n", count: 5)
        let file = try WebVTTFile(parsing: Array(text.utf8), limits: limits)
        #expect([file.headerLines.count, file.track.regions.count, file.track.styles.count] == [3, 3, 3])
    }

    @Test("reads a setting again when the cue before had the same text but a fault in it")
    func repeatedSettings() throws {
        let line = "00:01.000 --> 00:02.000 line:5 size:x\n\n"
        let file = try file("WEBVTT\n\n" + line + line)
        #expect(file.track.cues.map(\.settings.line) == [5, 5])
        #expect(file.warnings.map(\.line) == [3, 5])
    }
}
