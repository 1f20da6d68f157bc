import SidebandSubtitles
import Testing

@Suite("The XML of Timed Text")
struct TTMLFormTests {
    private func texts(_ body: String, head: String = "") throws -> [String] {
        let document = "<tt xmlns=\"http://www.w3.org/ns/ttml\"><head>\(head)</head><body>\(body)</body></tt>"
        return try SubtitleFile(reading: Array(document.utf8)).track.cues.map(\.text)
    }

    /// A paragraph that is shown.
    private func paragraph(_ text: String) -> String { "<p begin=\"0s\" end=\"1s\">\(text)</p>" }

    @Test(
        "may have any attributes, also with > in their values",
        arguments: [
            "xml:id=\"a>b\"", "xml:id='a/>'", "xml:id=\"a=\"", "xml:id=\"a='b'\"", "xml:id=\"\"",
            "xml:id = 'a'",
            "x", "=", "xml:id=a",
        ])
    func attributes(attribute: String) throws {
        #expect(try texts("<p \(attribute) begin=\"0s\" end=\"1s\">x</p>") == ["x"])
        #expect(try texts("<p begin=\"0s\" end=\"1s\" \(attribute)>x</p>") == ["x"])
    }

    @Test(
        "may have text in sections of character data, which have no markup, and comments, which are no text")
    func sections() throws {
        #expect(try texts(paragraph("<![CDATA[a <b> & &amp; c]]>d")) == ["a &lt;b&gt; &amp; &amp;amp; cd"])
        #expect(try texts(paragraph("a<![CDATA[]]>b<!-- <p> --><?x <p> ?>c")) == ["abc"])
    }

    @Test("has a replacement character for each zero byte, and a single line end for CR and LF")
    func controls() throws {
        #expect(try texts(paragraph("a\0b<![CDATA[c\0]]>")) == ["a\u{FFFD}bc\u{FFFD}"])
        let kept = "<p xml:space=\"preserve\" begin=\"0s\" end=\"1s\">a\r\nb\rc</p>"
        #expect(try texts(kept) == ["a\nb\nc"])
    }

    @Test(
        "may end anywhere: complete elements are read",
        arguments: ["<![CDATA[", "<![CDATA[ab]", "<!--", "<?x", "</", "<b a=\"", "<b", "&am"])
    func cut(end: String) throws {
        let document = "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body>\(paragraph("x"))\(end)"
        #expect(try SubtitleFile(reading: Array(document.utf8)).track.cues.map(\.text) == ["x"])
    }

    @Test(
        "is refused if it has only a document type",
        arguments: ["<!DOCTYPE tt [", "<!DOCTYPE tt", "<!DOCTYPE tt [<!ENTITY a \"b\">]>"])
    func documentType(text: String) {
        #expect(throws: WebVTTError.self) {
            try SubtitleFile(reading: Array("<?xml version=\"1.0\"?>\(text)".utf8))
        }
    }

    @Test("may be deeper than the limit: later elements keep their place and style")
    func depth() throws {
        let deep = String(repeating: "<span>", count: 200) + "a" + String(repeating: "</span>", count: 200)
        let italic = "<span tts:fontStyle=\"italic\">c</span>"
        #expect(try texts(paragraph(deep + "b") + paragraph(italic)) == ["ab", "<i>c</i>"])
    }

    @Test("has no blanks at the ends of a line, also inside styled text")
    func blanks() throws {
        let italic = "<span tts:fontStyle=\"italic\"> b</span>"
        #expect(try texts(paragraph(italic)) == ["<i>b</i>"])
        #expect(try texts(paragraph("a<br/>\(italic)")) == ["a\n<i>b</i>"])
        #expect(try texts(paragraph("a\(italic)")) == ["a<i> b</i>"])
        #expect(try texts(paragraph("a \(italic)")) == ["a <i>b</i>"])
    }
}

@Suite("Measures of Timed Text")
struct TTMLMeasureTests {
    private func cue(_ root: String, _ region: String = "", _ times: String = "begin=\"0s\" end=\"1s\"")
        throws -> Cue?
    {
        let document = """
            <tt xmlns="http://www.w3.org/ns/ttml" \(root)><head><layout><region xml:id="r" \(region)/></layout></head>
            <body><div region="r"><p \(times)>x</p></div></body></tt>
            """
        return try SubtitleFile(reading: Array(document.utf8)).track.cues.first
    }

    @Test(
        "are percent of the picture, or pixels or cells of it, across and down",
        arguments: [
            ("10% 20%", "50% 40%", [10.0, 20, 50]), ("64px 96px", "320px 192px", [10, 20, 50]),
            ("3.2c 3c", "16c 6c", [10, 20, 50]), ("10rw 20rh", "50rw 40rh", [10, 20, 50]),
        ])
    func lengths(origin: String, extent: String, expected: [Double]) throws {
        let root = "tts:extent=\"640px 480px\" ttp:cellResolution=\"32 15\""
        let region = "tts:origin=\"\(origin)\" tts:extent=\"\(extent)\""
        let settings = try #require(try cue(root, region)).settings
        #expect(
            [settings.position ?? -1, settings.line ?? -1, settings.size].map { ($0 * 10).rounded() / 10 }
                == expected)
    }

    @Test(
        "are refused in pixels of a picture without a size, and in another form",
        arguments: ["1px 1px", "1 1", "5%", "1% 2% 3%", "x% 2%", "1em 1em"])
    func noLengths(origin: String) throws {
        #expect(
            try cue("", "tts:origin=\"\(origin)\" tts:extent=\"50% 50%\"")
                == cue("", "tts:extent=\"50% 50%\""))
    }

    @Test(
        "are cells of the usual number where the document names none",
        arguments: ["0 15", "32 0", "32", "x y"])
    func noCells(cells: String) throws {
        let region = "tts:origin=\"3.2c 3c\" tts:extent=\"16c 6c\""
        let settings = try #require(try cue("ttp:cellResolution=\"\(cells)\"", region)).settings
        #expect(try settings == cue("", region)?.settings)
        #expect(settings.size == 50)
    }

    @Test(
        "of time count frames and ticks as the document says, or 30 frames a second",
        arguments: [
            ("", "30f", 1.0), ("", "2t", 2), ("ttp:frameRate=\"25\"", "25f", 1),
            ("ttp:frameRate=\"25\"", "25t", 1),
            ("ttp:frameRate=\"25\" ttp:subFrameRate=\"4\"", "100t", 1), ("ttp:tickRate=\"10\"", "5t", 0.5),
            ("ttp:frameRate=\"30\" ttp:frameRateMultiplier=\"1000 1001\"", "30f", 1.001),
            ("ttp:frameRate=\"0\"", "30f", 1), ("ttp:frameRate=\"x\"", "30f", 1),
            ("ttp:tickRate=\"0\"", "2t", 2),
            ("ttp:frameRateMultiplier=\"0 1\"", "30f", 1), ("ttp:frameRateMultiplier=\"1 0\"", "30f", 1),
            ("ttp:frameRate=\"24\"", "00:00:01:12", 1.5), ("", "00:01:00", 60), ("", "01:00:00.25", 3600.25),
        ])
    func times(root: String, begin: String, seconds: Double) throws {
        let found = try #require(try cue(root, "", "begin=\"\(begin)\" dur=\"1s\""))
        #expect(found.start == CueTime(seconds: seconds))
    }

    @Test(
        "of time are refused in another form",
        arguments: ["1", "1x", "-1s", "1:2", "1:2:3:4:5", "a:b:c", "infs", "nans", ""])
    func noTimes(begin: String) throws {
        #expect(try cue("", "", "begin=\"\(begin)\" end=\"1s\"")?.start == CueTime(milliseconds: 0))
    }
}
