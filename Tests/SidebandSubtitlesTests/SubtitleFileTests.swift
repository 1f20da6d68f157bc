import SidebandSubtitles
import Testing

@Suite("Subtitle files of other formats")
struct SubtitleFileTests {
    private func read(_ text: String) throws -> SubtitleFile { try SubtitleFile(reading: Array(text.utf8)) }

    /// Why bytes are refused; `nil` when they are not.
    private func refusal(_ bytes: [UInt8], limits: WebVTTLimits = .init()) -> WebVTTError.Code? {
        do throws(WebVTTError) {
            _ = try SubtitleFile(reading: bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("are told by their content")
    func formats() throws {
        #expect(try read("WEBVTT\n\n00:01.000 --> 00:02.000\na").format == .vtt)
        #expect(try read("1\n00:00:01,000 --> 00:00:02,000\na\n").format == .srt)
        #expect(try read("[Script Info]\nTitle: x\n").format == .ass)
        #expect(try read("<?xml version=\"1.0\"?>\n<tt:tt xmlns:tt='x'></tt:tt>").format == .ttml)
    }

    @Test("in an unknown format are refused, and so are too large ones")
    func refusals() {
        #expect(refusal([]) == .empty)
        #expect(refusal(Array("<!doctype html><html>".utf8)) == .webPage)
        #expect(refusal(Array("just a text".utf8)) == .unknownFormat)
        #expect(refusal([0x89, 0x50, 0x4E, 0x47, 0, 0, 0xFF, 0xFE]) == .unknownFormat)
        var limits = WebVTTLimits()
        limits.bytes = 10
        #expect(refusal(Array("1\n00:00:01,000 --> 00:00:02,000\na".utf8), limits: limits) == .tooManyBytes)
        limits = .init()
        limits.cues = 1
        let two = "1\n00:00:01,000 --> 00:00:02,000\na\n\n2\n00:00:01,000 --> 00:00:02,000\nb\n"
        #expect(refusal(Array(two.utf8), limits: limits) == .tooManyCues)
    }

    @Test("may be UTF-8, UTF-16 with a byte order mark, or else Windows-1252")
    func encodings() throws {
        let subtitle = "1\r\n00:00:01,000 --> 00:00:02,000\r\nÄh “so” €\r\n"
        let little: [UInt8] =
            [0xFF, 0xFE]
            + subtitle.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let big: [UInt8] =
            [0xFE, 0xFF]
            + subtitle.utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        let marked = [0xEF, 0xBB, 0xBF] + Array(subtitle.utf8)
        let special: [Unicode.Scalar: UInt8] = ["“": 0x93, "”": 0x94, "€": 0x80]
        let latin = subtitle.unicodeScalars.map { special[$0] ?? UInt8($0.value) }
        let cases: [([UInt8], TextEncoding)] = [
            (Array(subtitle.utf8), .utf8), (marked, .utf8), (little, .utf16), (big, .utf16),
            (latin, .windows1252),
        ]
        for (bytes, encoding) in cases {
            let found = try SubtitleFile(reading: bytes)
            #expect(found.encoding == encoding)
            #expect(found.track.cues.map(\.text) == ["Äh “so” €"])
        }
    }

    @Test("WebVTT in UTF-8 stays that when a byte of it is damaged")
    func damagedUTF8() throws {
        let bytes = try Fixtures.bytes("spec/invalid-utf8.vtt") + Array("ö – 漢\n".utf8)
        let found = try SubtitleFile(reading: bytes)
        #expect(found.encoding == .utf8)
        let plain = try WebVTTFile(parsing: bytes).track
        #expect(found.track == plain)
        #expect(found.track.cues.first?.text.hasSuffix("\nö – 漢") == true)
        let latin: [UInt8] = Array("WEBVTT\n\n00:01.000 --> 00:02.000\nGr".utf8) + [0xFC, 0xDF, 0x65]
        #expect(try SubtitleFile(reading: latin).track.cues.map(\.text) == ["Grüße"])
    }

    @Test("SubRip is read however carelessly it is written")
    func subRip() throws {
        let track = try read(
            """
            1
            00:00:01,500 --> 00:00:02,000
            First <b>bold</b>

            still the first
            2
            0:0:3.5-->0:0:4,25 X1:10 X2:20
            {\\an8}<font color="#ffff00">a < b & c</font>

            01:05,000 --> 01:06,000
            <unknown>
            """
        ).track
        #expect(
            summary(track.cues) == [
                "1.5 2.0 First <b>bold</b>\nstill the first", "3.5 4.25 <c.yellow>a &lt; b &amp; c</c>",
                "65.0 66.0 &lt;unknown&gt;",
            ])
        #expect(track.cues[1].settings.line == 0)
        #expect(track.cues[2].content.plainText == "<unknown>")
    }

    @Test("fractions of a second may have any count of digits, of which three count")
    func fractions() throws {
        let subRip = "00:00:01,5000 --> 00:00:02,123456789123456789\na\n\n00:00:03,07 --> 00:00:04,\nb\n"
        #expect(summary(try read(subRip).track.cues) == ["1.5 2.123 a", "3.07 4.0 b"])
        let script = "[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.2500,0:00:02.9996,a\n"
        #expect(summary(try read(script).track.cues) == ["1.25 2.999 a"])
    }

    @Test("ASS keeps places, markup and karaoke, and leaves out drawings")
    func ass() throws {
        let track = try read(
            """
            [Script Info]
            PlayResX: 200
            PlayResY: 100
            [V4+ Styles]
            Format: Name, Bold, Alignment, PrimaryColour
            Style: Loud,-1,8,&H000000FF
            Style: Odd,0,0,&H00FFFFFF
            [Events]
            Format: Layer, Start, End, Style, Text
            Dialogue: 0,0:00:05.00,0:00:06.00,Loud,Up, there
            Comment: 0,0:00:00.00,0:00:01.00,Loud,no
            Dialogue: 0,0:00:01.00,0:00:02.50,,{\\pos(50,20)\\an7\\i1}one{\\i0}\\Ntwo{\\p1}m 0 0{\\p0}
            Dialogue: 0,0:00:03.00,0:00:04.00,Odd,{\\k20}la{\\k30}lo{\\k10}la
            """
        ).track
        #expect(
            summary(track.cues) == [
                "1.0 2.5 <i>one</i>\ntwo", "3.0 4.0 la<00:00:03.200>lo<00:00:03.500>la",
                "5.0 6.0 <c.red><b>Up, there</b></c>",
            ])
        let placed = track.cues[0].settings
        #expect(placed.line == 20 && !placed.snapsToLines && placed.lineAlignment == .start)
        #expect(placed.position == 25 && placed.positionAlignment == .lineLeft)
        #expect(track.cues[2].settings.line == 0 && track.cues[1].settings.line == nil)
    }

    @Test("colors of text are kept, those that WebVTT has no class for by a style sheet")
    func colors() throws {
        let script = """
            [V4+ Styles]
            Format: Name, PrimaryColour
            Style: Sign,&H00C08040
            [Events]
            Format: Start, End, Style, Text
            Dialogue: 0:00:01.00,0:00:02.00,,a{\\c&H3080F0&}b{\\c&HFFFFFF&}c{\\1c&H0000FF&}d
            Dialogue: 0:00:03.00,0:00:04.00,Sign,e
            """
        let track = try read(script).track
        #expect(
            track.cues.map(\.text) == [
                "a<c.rgb-f08030>b</c>c<c.red>d</c>", "<c.rgb-4080c0>e</c>",
            ])
        let rules = "::cue(.rgb-4080c0) { color: #4080c0 }\n::cue(.rgb-f08030) { color: #f08030 }"
        #expect(track.styles == [rules])
        let written = try WebVTTFile(parsing: SubtitleFormat.vtt.bytes(of: track))
        #expect(written.track == track && written.warnings.isEmpty)
        let subRip = try read(
            """
            1
            00:00:01,000 --> 00:00:02,000
            <font color="orange">a<font color="#fff">b</font></font><font color=white>c</font>
            <font color="1e90ff">d</font><font face="x">e</font><font color="nonsense">f</font>
            """
        ).track
        #expect(
            subRip.cues.map(\.text) == [
                "<c.rgb-ffa500>a<c.white>b</c></c>c\n<c.rgb-1e90ff>d</c>ef"
            ])
        #expect(subRip.styles.first?.contains("::cue(.rgb-1e90ff)") == true)
        #expect(try file("WEBVTT\n\n00:01.000 --> 00:02.000\n<c.rgb-1e90ff>a").track.styles.isEmpty)
    }

    @Test("tags of ASS that begin like other tags do not change the effect of those")
    func similarTags() throws {
        let script = """
            [Events]
            Format: Start, End, Text
            Dialogue: 0:00:01.00,0:00:02.00,{\\b1\\blur5}a{\\bord0\\be1}b
            Dialogue: 0:00:03.00,0:00:04.00,c{\\p1}m 0 0{\\pbo10}l 1 1{\\p0}d{\\pbo10}e
            """
        #expect(try read(script).track.cues.map(\.text) == ["<b>ab</b>", "cde"])
    }

    @Test("a track that is written as ASS reads back at its times and places")
    func assAgain() throws {
        let source = try file("WEBVTT\n\n00:01.000 --> 00:02.000 line:0\n<i>a</i>\nb").track
        let again = try SubtitleFile(reading: ASSWriter().bytes(of: source)).track
        #expect(summary(again.cues) == summary(source.cues))
        #expect(again.cues[0].settings.line == 0)
    }
}
