import Testing

@testable import SidebandSubtitles

/// The cues of paragraphs in a document.
private func paragraphs(_ body: String) throws -> [Cue] {
    try SubtitleFile(reading: Array("<tt><body>\(body)</body></tt>".utf8)).track.cues
}

@Suite("A document type in Timed Text")
struct TTMLDocumentTypeTests {
    @Test("ends with its bracket, however many brackets it has")
    func passed() throws {
        for type in ["<!x>", "<!x ]>", "<!x [<y>]>", "<!x [[<y>]>]>", "<!>"] {
            let found = try paragraphs("<p begin=\"0s\" end=\"1s\">a\(type)b</p>")
            #expect(found.map(\.text) == ["ab"], "\(type)")
        }
    }

    @Test(
        "may be cut off, after which nothing follows",
        arguments: ["<!DOCTYPE", "<!DOCTYPE tt [", "<!", "<!x]"])
    func cut(type: String) throws {
        let document = "<tt><body><p begin=\"0s\" end=\"1s\">x</p>\(type)"
        #expect(try SubtitleFile(reading: Array(document.utf8)).track.cues.map(\.text) == ["x"])
        #expect(throws: WebVTTError(.unknownFormat)) { try TTMLReader.track(Array(type.utf8)) }
    }
}

@Suite("Limits of Timed Text")
struct TTMLLimitTests {
    @Test("are a thousand parts of a paragraph with times of their own; later ones are left out")
    func parts() throws {
        func texts(_ count: Int) throws -> [String] {
            let spans = (0..<count).map { "<span begin=\"\($0)s\" end=\"\($0 + 1)s\">\($0)</span>" }
            return try paragraphs("<p begin=\"0s\" end=\"5000s\">\(spans.joined())</p>").map(\.text)
        }
        let most = (0..<1000).map(String.init)
        #expect(try texts(999) == Array(most.dropLast()))
        #expect(try texts(1000) == most)
        #expect(try texts(1001) == most)
    }

    @Test("do not count text at the same time as one part more")
    func sameTime() throws {
        let spans = String(repeating: "<span>a</span>", count: 1500)
        let found = try paragraphs("<p begin=\"0s\" end=\"1s\">\(spans)</p>")
        #expect(found.map(\.text) == [String(repeating: "a", count: 1500)])
    }

    @Test("are a hundred attributes of an element")
    func attributes() throws {
        func isEndless(_ others: Int) throws -> Bool? {
            let names = (0..<others).map { "a\($0)=\"\"" }.joined(separator: " ")
            return try paragraphs("<p \(names) begin=\"0s\" end=\"1s\">x</p>").first?.isEndless
        }
        #expect(try isEndless(98) == false)
        #expect(try isEndless(99) == true)
    }

    @Test("are a hundred elements within one another: a deeper one gives its text no style")
    func depth() throws {
        func text(_ spans: Int) throws -> String? {
            let opening = String(repeating: "<span>", count: spans)
            let closing = String(repeating: "</span>", count: spans)
            let italic = "<span tts:fontStyle=\"italic\">a</span>"
            return try paragraphs("<p begin=\"0s\" end=\"1s\">\(opening)\(italic)\(closing)</p>").first?.text
        }
        // Around the spans there are three elements.
        #expect(try text(96) == "<i>a</i>")
        #expect(try text(97) == "a")
    }

    @Test("are so many styles and regions together; later ones do not exist")
    func definitions() throws {
        let document = """
            <tt><head><styling><style xml:id="i" tts:fontStyle="italic"/><style xml:id="b" tts:fontWeight="bold"/>
            </styling><layout><region xml:id="r" tts:origin="10% 20%"/><region xml:id="s" tts:origin="30% 40%"/>
            </layout></head><body><p begin="0s" end="1s" region="r"><span style="i">a</span><span style="b">b</span></p>
            <p begin="1s" end="2s" region="s">c</p></body></tt>
            """
        func cues(_ blocks: Int) throws -> [Cue] {
            var limits = WebVTTLimits()
            limits.blocks = blocks
            return try SubtitleFile(reading: Array(document.utf8), limits: limits).track.cues
        }
        let all = try cues(4)
        #expect(all.map(\.text) == ["<i>a</i><b>b</b>", "c"])
        #expect(all.map(\.settings.line) == [20, 40])
        let three = try cues(3)
        #expect(three.map(\.settings.line) == [20, nil])
        #expect(three.last?.settings == CueSettings())
        let one = try cues(1)
        #expect(one.map(\.text) == ["<i>a</i>b", "c"])
        #expect(one.map(\.settings.line) == [nil, nil])
    }
}

@Suite("Pixels of Timed Text")
struct TTMLPixelTests {
    /// The settings of a text in a region, in a picture.
    private func settings(_ picture: String, _ region: String) throws -> CueSettings {
        let document = """
            <tt tts:extent="\(picture)"><head><layout><region xml:id="r" \(region)/></layout></head>
            <body><p region="r" begin="0s" end="1s">x</p></body></tt>
            """
        return try #require(try SubtitleFile(reading: Array(document.utf8)).track.cues.first).settings
    }

    @Test(
        "are no lengths in a picture without width or height",
        arguments: ["0px 0px", "0px 480px", "640px 0px", "640px", "auto"])
    func noPicture(picture: String) throws {
        let extent = "tts:extent=\"50% 50%\""
        let placed = try settings(picture, "tts:origin=\"64px 96px\" \(extent)")
        #expect(try placed == settings(picture, extent))
        #expect(placed.position == 0 && placed.line == 0 && placed.size == 50)
    }

    @Test("are parts of the picture's own width and height")
    func picture() throws {
        let placed = try settings("640px 480px", "tts:origin=\"64px 96px\" tts:extent=\"320px 48px\"")
        #expect(placed.position == 10 && placed.line == 20 && placed.size == 50)
    }

    @Test("do not leave the picture")
    func outside() throws {
        let placed = try settings("640px 480px", "tts:origin=\"-64px 960px\" tts:extent=\"1280px 1px\"")
        #expect(placed.position == 0 && placed.line == 100 && placed.size == 100)
    }

    @Test(
        "have their alignment as the point that is placed",
        arguments: [("left", 10.0), ("center", 35), ("right", 60), ("start", 10), ("end", 60)])
    func alignment(name: String, position: Double) throws {
        let region = "tts:origin=\"64px 96px\" tts:extent=\"320px 48px\" tts:textAlign=\"\(name)\""
        #expect(try settings("640px 480px", region).position == position)
    }

    @Test(
        "place the edge of the text that the region's alignment means",
        arguments: [
            ("before", 20.0, CueSettings.LineAlignment.start), ("center", 25, .center), ("after", 30, .end),
        ])
    func edge(name: String, line: Double, edge: CueSettings.LineAlignment) throws {
        let region = "tts:origin=\"64px 96px\" tts:extent=\"320px 48px\" tts:displayAlign=\"\(name)\""
        let placed = try settings("640px 480px", region)
        #expect(placed.line == line && placed.lineAlignment == edge)
    }
}

@Suite("Text without an end in Timed Text")
struct TTMLEndTests {
    @Test("has no end if it begins when all others end, and ends with them if it begins before")
    func border() throws {
        let other = "<p begin=\"1s\" end=\"8s\">a</p>"
        let before = try paragraphs(other + "<p begin=\"7.999s\">b</p>")
        #expect(summary(before) == ["1.0 8.0 a", "7.999 8.0 b"])
        let after = try paragraphs(other + "<p begin=\"8s\">b</p>")
        #expect(after.map(\.isEndless) == [false, true])
        #expect(after.map(\.start.seconds) == [1, 8])
    }
}

@Suite("The text of Timed Text")
struct TTMLTextTests {
    @Test("has one blank for any of them between words")
    func blanks() throws {
        #expect(try paragraphs("<p begin=\"0s\" end=\"1s\">a\t \tb\tc\n</p>").map(\.text) == ["a b c"])
    }

    @Test("is underlined unless an element within says otherwise")
    func underlined() throws {
        for word in ["noUnderline", "none", "underline noUnderline"] {
            let span = "<span tts:textDecoration=\"\(word)\">b</span>"
            let found = try paragraphs(
                "<p begin=\"0s\" end=\"1s\" tts:textDecoration=\"underline\">a\(span)</p>")
            #expect(found.map(\.text) == ["<u>a</u>b"], "\(word)")
        }
    }

    @Test("is not there when it lasts no time at all")
    func instant() throws {
        for time in ["dur=\"0s\"", "end=\"0s\""] {
            let found = try paragraphs("<p begin=\"1s\" \(time)>a</p><p begin=\"1s\" end=\"2s\">b</p>")
            #expect(found.map(\.text) == ["b"], "\(time)")
        }
    }
}
