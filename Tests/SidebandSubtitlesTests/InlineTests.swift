import SidebandSubtitles
import Testing

@Suite("Lines of a cue")
struct InlineTests {
    @Test("have no more blanks than needed, and end where the text says")
    func whiteSpace() throws {
        #expect(try Scene(body("  a \t b  \n  c ")).lines == ["a b", "c"])
        #expect(try Scene(body("<b>a </b> b")).lines == ["a b"])
    }

    @Test("are about equally long")
    func balance() throws {
        let text = "one two three four five six seven eight"
        #expect(try Scene(body(text)).lines == ["one two three four", "five six seven eight"])
    }

    @Test("break a word that is too long")
    func longWord() throws {
        #expect(try Scene(body(String(repeating: "x", count: 40))).lines.map(\.count) == [33, 7])
    }

    @Test("stand at the side where their text begins, each by its own direction")
    func directions() throws {
        let cue = try Scene(body("Hello!\nשלום!", "align:start")).layout.cues[0]
        #expect(cue.lines.map(\.rect.x) == [0, 850])
    }

    @Test("carry readings above their base, or below, and make room for them")
    func ruby() throws {
        let cue = try Scene(body("<ruby>base<rt>up</rt></ruby> text")).layout.cues[0]
        #expect(cue.lines.map(\.rect.height) == [120])
        let found = cue.lines[0].fragments
        #expect(found.map(\.run.text) == ["base", "up", " text"])
        #expect(found[1].isReading && found[1].rect.y == cue.rect.y)
        #expect(found[1].rect.x + 30 == found[0].rect.x + 60)
        let under = body("<ruby>base<rt>down</rt></ruby>", style: "::cue(rt) { ruby-position: under }")
        let below = try fragments(under)
        #expect(below[1].rect.y > below[0].rect.y)
    }

    @Test("are kept as they are when the style says so")
    func preserved() throws {
        let style = "::cue { white-space: pre }"
        #expect(try Scene(body(" a   b", style: style)).lines == [" a   b"])
        let wide = String(repeating: "ab ", count: 20)
        #expect(try Scene(body(wide, style: "::cue { white-space: nowrap }")).lines.count == 1)
    }
}

@Suite("A region")
struct RegionTests {
    private let header = """
        REGION
        id:r
        width:40%
        lines:3
        regionanchor:0%,100%
        viewportanchor:10%,90%
        """

    @Test("lies where its anchors say, its lines at the bottom")
    func place() throws {
        let scene = try Scene(header + "\n\n" + body("a", "region:r") + body("b", "region:r"))
        #expect(scene.layout.regions.map(\.rect) == [FrameRect(x: 100, y: 720, width: 400, height: 180)])
        #expect(scene.boxes.mapValues { $0[1] } == ["a": 780, "b": 840])
        #expect(scene.boxes["a"]?[0] == 285)
    }

    @Test("is in the way of other cues")
    func obstacle() throws {
        let region = header.replacing("viewportanchor:10%,90%", with: "viewportanchor:0%,100%")
        let scene = try Scene(region + "\n\n" + body("a", "region:r") + body("b"))
        #expect(scene.boxes["b"]?[1] == 760)
    }

    @Test("that scrolls moves its lines up when one is added")
    func scrolling() throws {
        let text = """
            \(header)
            scroll:up

            00:00.000 --> 00:10.000 region:r
            a

            00:01.000 --> 00:10.000 region:r
            b

            """
        #expect(try Scene(text, at: 0.9).boxes.mapValues { $0[1] } == ["a": 840])
        #expect(try Scene(text, at: 1).boxes.mapValues { $0[1] } == ["a": 840, "b": 900])
        let moving = try #require(try Scene(text, at: 1.2).boxes["a"]?[1])
        #expect(moving > 780 && moving < 840)
        #expect(try Scene(text, at: 1.5).boxes.mapValues { $0[1] } == ["a": 780, "b": 840])
    }
}
