import SidebandSubtitles
import Testing

@Suite("Limits of a subtitle file")
struct ReadingLimitTests {
    /// A text with two cues in each format.
    private static let texts: [SubtitleFile.Format: String] = [
        .vtt: "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:03.000 --> 00:04.000\nb\n",
        .srt: "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:03,000 --> 00:00:04,000\nb\n",
        .ass: "[Events]\nFormat: Start, End, Text\n"
            + "Dialogue: 0:00:01.00,0:00:02.00,a\nDialogue: 0:00:03.00,0:00:04.00,b\n",
        .ttml: "<tt><body><p begin=\"1s\" end=\"2s\">a</p><p begin=\"3s\" end=\"4s\">b</p></body></tt>",
    ]

    /// Why bytes are refused; `nil` when they are not.
    private func refusal(_ bytes: [UInt8], _ limits: WebVTTLimits) -> WebVTTError.Code? {
        do throws(WebVTTError) {
            _ = try SubtitleFile(reading: bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("permit as many bytes as they say, and no more", arguments: SubtitleFile.Format.allCases)
    func bytes(format: SubtitleFile.Format) throws {
        let bytes = Array(try #require(Self.texts[format]).utf8)
        var limits = WebVTTLimits()
        limits.bytes = bytes.count
        let found = try SubtitleFile(reading: bytes, limits: limits)
        #expect(found.format == format)
        #expect(summary(found.track.cues) == ["1.0 2.0 a", "3.0 4.0 b"])
        limits.bytes = bytes.count - 1
        #expect(refusal(bytes, limits) == .tooManyBytes)
    }

    @Test("permit as many cues as they say, and no more", arguments: SubtitleFile.Format.allCases)
    func cues(format: SubtitleFile.Format) throws {
        let bytes = Array(try #require(Self.texts[format]).utf8)
        var limits = WebVTTLimits()
        limits.cues = 2
        #expect(refusal(bytes, limits) == nil)
        limits.cues = 1
        #expect(refusal(bytes, limits) == .tooManyCues)
    }

    @Test("leave out styles of a script beyond their number, whose text has no style")
    func scriptStyles() throws {
        let script = """
            [V4+ Styles]
            Format: Name, Bold, Italic, Underline
            Style: A,-1,0,0
            Style: B,0,-1,0
            Style: C,0,0,-1
            [Events]
            Format: Start, End, Style, Text
            Dialogue: 0:00:01.00,0:00:02.00,A,a
            Dialogue: 0:00:02.00,0:00:03.00,B,b
            Dialogue: 0:00:03.00,0:00:04.00,C,c
            """
        func texts(_ blocks: Int) throws -> [String] {
            var limits = WebVTTLimits()
            limits.blocks = blocks
            return try SubtitleFile(reading: Array(script.utf8), limits: limits).track.cues.map(\.text)
        }
        #expect(try texts(3) == ["<b>a</b>", "<i>b</i>", "<u>c</u>"])
        #expect(try texts(2) == ["<b>a</b>", "<i>b</i>", "c"])
    }

    @Test("of WebVTT give a warning for each block beyond their number, and none before")
    func warnings() throws {
        let blocks = ["REGION\nid:r\n\n", "STYLE\na\n\n"]
        let heads = ["Kind: captions\n"] + blocks
        for head in heads {
            func warnings(_ count: Int) throws -> [WebVTTWarning.Code] {
                let start = blocks.contains(head) ? "WEBVTT\n\n" : "WEBVTT\n"
                var limits = WebVTTLimits()
                limits.blocks = 2
                let source = start + String(repeating: head, count: count) + "\n"
                return try WebVTTFile(parsing: Array(source.utf8), limits: limits).warnings.map(\.code)
            }
            #expect(try warnings(2).isEmpty, "\(head)")
            #expect(try warnings(4) == [.tooManyBlocks, .tooManyBlocks], "\(head)")
        }
    }
}

@Suite("The list of a long file's cues")
struct ReadingCapacityTests {
    /// So many equal cues with a comment behind them.
    private func list(_ count: Int, comment: Int = 0, limits: WebVTTLimits = .init()) throws -> [Cue] {
        let cues = String(repeating: "00:00.000 --> 00:01.000\nx\n\n", count: count)
        let source = "WEBVTT\n\n\(cues)NOTE\n\(String(repeating: "x", count: comment))\n"
        return try WebVTTFile(parsing: Array(source.utf8), limits: limits).track.cues
    }

    @Test("has all of them, and hardly more room than they need")
    func room() throws {
        let cues = try list(5000)
        #expect(cues.count == 5000)
        #expect(cues.capacity < 5500)
    }

    @Test("has no room for more of them than are permitted, however long the file is")
    func limit() throws {
        var limits = WebVTTLimits()
        limits.cues = 2000
        let cues = try list(2000, comment: 2_000_000, limits: limits)
        #expect(cues.count == 2000)
        #expect(cues.capacity < 2500)
    }
}

@Suite("The name of a region")
struct ReadingRegionNameTests {
    @Test("with a zero byte is the same for the region and its cues")
    func zeroByte() throws {
        let source = "WEBVTT\n\nREGION\nid:a\0b\nwidth:40%\n\n00:01.000 --> 00:02.000 region:a\0b\nx\n"
        let track = try file(source).track
        #expect(track.regions.map(\.identifier) == ["a\u{FFFD}b"])
        let shown = try #require(track.cues.first)
        #expect(shown.settings.region == "a\u{FFFD}b")
        #expect(track.region(of: shown)?.width == 40)
    }
}
