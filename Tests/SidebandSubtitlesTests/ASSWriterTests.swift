import SidebandSubtitles
import Testing

@Suite("A track written as ASS")
struct ASSWriterTests {
    private let writer = ASSWriter(picture: PictureSize(width: 1000, height: 500))

    /// The lines of dialogue of the cues after a WebVTT header.
    private func dialogue(_ body: String) throws -> [String] {
        let track = try file("WEBVTT\n\n" + body).track
        return text(writer.bytes(of: track)).split(separator: "\n").filter { $0.hasPrefix("Dialogue: ") }
            .map { String($0.dropFirst(10)) }
    }

    /// What follows the margins in the line of the one cue.
    private func shown(_ body: String, settings: String = "") throws -> String {
        let line = try #require(try dialogue("00:01.000 --> 00:03.000 \(settings)\n\(body)").first)
        return line.split(separator: ",", maxSplits: 9, omittingEmptySubsequences: false).last.map(
            String.init) ?? ""
    }

    @Test("names the size of the picture, and times in hundredths of a second, by time")
    func header() throws {
        let track = SubtitleTrack(cues: [cue(3725.126, 3726, "late"), cue(1, 2, "early")])
        let written = text(writer.bytes(of: track))
        #expect(written.contains("PlayResX: 1000\nPlayResY: 500\n"))
        let lines = try dialogue("01:02:05.126 --> 01:02:06.000\nlate\n\n00:01.000 --> 00:02.000\nearly")
        #expect(lines.map { $0.prefix(25) } == ["0,0:00:01.00,0:00:02.00,D", "0,1:02:05.13,1:02:06.00,D"])
        #expect(writer.bytes(of: track) == writer.bytes(of: track))
        let tens = try dialogue("10:10:10.104 --> 10:10:10.105\na")
        #expect(tens.map { $0.prefix(25) } == ["0,10:10:10.10,10:10:10.11"])
    }

    @Test("begins at 0 with a cue that begins before, and has none that is over by then")
    func beforeStart() {
        let cues = [cue(-2, -1, "a"), cue(-1, 0, "b"), cue(-1, 0.004, "c"), cue(-1, 0.005, "d")]
        let lines = text(writer.bytes(of: SubtitleTrack(cues: cues))).split(separator: "\n")
        let shown = lines.filter { $0.hasPrefix("Dialogue: ") }
        #expect(shown == ["Dialogue: 0,0:00:00.00,0:00:00.01,Default,,0,0,0,,d"])
    }

    @Test("ends endless cues and their last syllables within durations of 32 bits")
    func endless() {
        let track = SubtitleTrack(cues: [cue(1, .infinity, "a<00:01.500>b"), cue(2, .infinity, "c")])
        let lines = text(writer.bytes(of: track)).split(separator: "\n").filter { $0.hasPrefix("Dialogue: ") }
        #expect(lines.allSatisfy { $0.contains(",99:59:59.99,Default,") })
        #expect(lines.count == 2 && lines.first?.hasSuffix(#",,{\k50}a{\k35999849}b"#) == true)
    }

    @Test("places a line by its number, from above or below, and by percent")
    func lines() throws {
        #expect(try shown("a", settings: "line:0").hasPrefix("{\\an8\\pos(500,0)}"))
        #expect(try shown("a", settings: "line:2").hasPrefix("{\\an8\\pos(500,58)}"))
        #expect(try shown("a", settings: "line:-1").hasPrefix("{\\an2\\pos(500,500)}"))
        #expect(try shown("a", settings: "line:-0.5").hasPrefix("{\\an8\\pos(500,0)}"))
        #expect(try shown("a", settings: "line:50%,center").hasPrefix("{\\an5\\pos(500,251)}"))
        #expect(try shown("a", settings: "line:90%,end").hasPrefix("{\\an2\\pos(500,450)}"))
        #expect(try shown("a") == "a")
    }

    @Test("keeps the styles that ASS can express, except in karaoke")
    func styleSheets() throws {
        let body = """
            STYLE
            ::cue { font-style: italic; color: rgba(255,255,0,0.5) }
            ::cue(.w) { color: #ff8000; font-weight: bold; background-color: blue }
            ::cue(u) { font-size: 200% }

            00:01.000 --> 00:03.000
            a <c.w>b</c> <u>c</u>

            00:04.000 --> 00:06.000
            <00:04.500>d
            """
        let texts = try dialogue(body).map { $0.split(separator: ",,").last.map(String.init) ?? "" }
        let first = #"{\i1\1c&H00FFFF&\1a&H80&}a {\b1\1c&H0080FF&\1a\3c&HFF0000&\3a&H00&}b"#
        let rest = #"{\b0\1c&H00FFFF&\1a&H80&\3c\3a} {\u1}{\fs56}c{\u0\fs}"#
        #expect(texts == [first + rest, #"{\k50}{\k150}d"#])
    }

    @Test("has text with a weight of 600 or more in bold")
    func weights() throws {
        let style = "STYLE\n::cue(c) { font-weight: 600 }\n::cue(i) { font-weight: 599 }\n\n"
        let lines = try dialogue(style + "00:01.000 --> 00:03.000\n<c>a</c><i>b</i>")
        #expect(lines.map { $0.hasSuffix(#",,{\b1}a{\b0}{\i1}b{\i0}"#) } == [true])
    }

    @Test("moves a cue from an occupied line to the next free one")
    func collisions() throws {
        let lines = try dialogue(
            """
            00:01.000 --> 00:05.000 line:0
            a
            b

            00:02.000 --> 00:03.000 line:1
            c

            00:02.000 --> 00:03.000 line:-1
            d

            00:02.500 --> 00:03.000 line:-1
            e

            00:04.000 --> 00:05.000 line:2
            f
            """)
        let heights = lines.map { $0.split(separator: ")")[0].split(separator: "(")[1] }
        #expect(heights == ["500,0", "500,58", "500,500", "500,471", "500,58"])
    }

    @Test("moves a cue up in its region when another one comes below it, where the region scrolls")
    func scrolling() throws {
        let region = "REGION\nid:r\nwidth:40%\nlines:3\nregionanchor:0%,100%\nviewportanchor:10%,90%"
        let cues = "\n\n00:01.000 --> 00:05.000 region:r\na\n\n00:02.000 --> 00:04.000 region:r\nb"
        let places = { (lines: [String]) in
            lines.map { line in
                let parts = line.split(separator: ",")
                return "\(parts[1].suffix(5)) \(line.split(separator: "\\")[2])"
            }
        }
        #expect(
            try places(dialogue(region + cues)) == [
                "01.00 pos(300,450)", "02.00 pos(300,421)", "04.00 pos(300,450)", "02.00 pos(300,450)",
            ])
        #expect(
            try places(dialogue(region + "\nscroll:up" + cues)) == [
                "01.00 pos(300,450)", "02.00 move(300,450,300,421,0,433)", "04.00 pos(300,450)",
                "02.00 move(300,479,300,450,0,433)",
            ])
    }

    @Test("cues at percentages that would cover each other, or stick out of the picture, are moved")
    func crowded() throws {
        let same = "00:01.000 --> 00:02.000 line:50%\n"
        let lines = try dialogue(same + "a\n\n" + same + "b")
        #expect(lines[0].contains("\\pos(500,250)") && lines[1].contains("\\pos(500,221)"))
        #expect(try shown("a", settings: "line:100%").hasPrefix("{\\an8\\pos(500,471)}"))
        #expect(try shown("a", settings: "line:100").hasPrefix("{\\an8\\pos(500,4"))
    }

    @Test("leaves cues at the usual place to the player, unless one of another kind is beside them")
    func usualPlace() throws {
        let cues = "00:01.000 --> 00:03.000\na\n\n00:02.000 --> 00:04.000\nb\n\n"
        #expect(try dialogue(cues).allSatisfy { $0.contains("Default,,0,0,0,,") && !$0.contains("\\pos") })
        let mixed = try dialogue(cues + "00:03.500 --> 00:04.000 line:-1\nc")
        #expect(mixed.map { $0.contains("\\pos(500,500)") } == [true, false, true])
        #expect(mixed[1].contains("\\an2\\pos(500,471)"))
        // Cues that follow one another are not beside one another.
        let after = try dialogue(cues + "00:04.000 --> 00:05.000 line:-1\nc")
        #expect(after.map { $0.contains("\\pos(500,500)") } == [false, false, true])
    }

    @Test("places text along the line by position, size and alignment")
    func positions() throws {
        #expect(
            try shown("a", settings: "line:0 position:10%,line-left align:left") == "{\\an7\\pos(100,0)}a")
        #expect(
            try shown("a", settings: "line:0 position:90%,line-right align:right") == "{\\an9\\pos(900,0)}a")
        #expect(try shown("a", settings: "line:0 position:30% size:20%") == "{\\an8\\pos(300,0)}a")
        #expect(try shown("سلام", settings: "line:0 align:start") == "{\\an9\\pos(1000,0)}سلام")
        let aligned = try dialogue("00:01.000 --> 00:02.000 size:30%\na")
        #expect(aligned[0].contains("Default,,350,350,0,,a"))
    }

    @Test("stands above the lower edge of its region")
    func regions() throws {
        let region = "REGION\nid:r\nwidth:40%\nlines:3\nregionanchor:0%,100%\nviewportanchor:10%,90%\n\n"
        let lines = try dialogue(region + "00:01.000 --> 00:02.000 region:r align:left\na")
        #expect(lines[0].hasSuffix("Default,,100,500,0,,{\\an1\\pos(100,450)\\clip(100,360,500,450)}a"))
    }

    @Test("keeps bold, italic, underline and the colors of the default classes")
    func styles() throws {
        #expect(try shown("<b>a<i>b</i></b><u>c</u>") == "{\\b1}a{\\i1}b{\\i0}{\\b0}{\\u1}c{\\u0}")
        #expect(try shown("<c.red.bg_blue>a</c>b") == "{\\1c&H0000FF&}{\\3c&HFF0000&}a{\\1c\\3c}b")
        #expect(try shown("<c.unknown>a</c><lang en>b</lang>") == "ab")
    }

    @Test("has the voice as name, and readings in parentheses")
    func voices() throws {
        let lines = try dialogue("00:01.000 --> 00:02.000\n<v Fred, the first>Hi")
        #expect(lines[0].contains("Default,Fred  the first,"))
        #expect(
            try shown("<ruby>漢<rt>かん</rt></ruby>字")
                == "漢{\\fscx60\\fscy60}(かん){\\fscx100\\fscy100}字")
    }

    @Test("turns timestamps into the lengths of syllables")
    func karaoke() throws {
        #expect(try shown("a<00:01.500>b<00:02.250>c") == "{\\k50}a{\\k75}b{\\k75}c")
        #expect(try shown("a<00:02.500>b<00:02.000>c") == "{\\k150}a{\\k0}b{\\k50}c")
    }

    @Test("turns vertical text, whose first line stands at the right or at the left")
    func vertical() throws {
        #expect(
            try shown("縦\n書", settings: "vertical:rl line:0")
                == "{\\an8\\pos(1000,250)\\fn@sans-serif\\frz-90}縦\\N書")
        #expect(
            try shown("縦\n書", settings: "vertical:lr line:0")
                == "{\\an2\\pos(0,250)\\fn@sans-serif\\frz-90}書\\N縦")
    }

    @Test("shows text that looks like markup as text, and leaves out invisible cues")
    func escaping() throws {
        #expect(try shown("{\\an8} \\N &lt;b&gt;") == "\\{\\\u{2060}an8\\} \\\u{2060}N <b>")
        #expect(try dialogue("00:01.000 --> 00:02.000\n<b> </b>\n\n00:03.000 --> 00:01.000\na").isEmpty)
        #expect(try shown("one\ntwo") == "one\\Ntwo")
    }
}
