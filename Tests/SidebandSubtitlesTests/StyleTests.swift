import Testing

@testable import SidebandSubtitles

@Suite("Styles of cues")
struct StyleTests {
    /// The color of a text in a picture.
    private func color(_ text: String, in body: String, at seconds: Double = 1) throws -> String? {
        try fragments(body, at: seconds).first { $0.run.text == text }?.style.color.description
    }

    @Test(
        "apply to the elements that their selectors match",
        arguments: [
            "::cue(b)", "::cue(.loud)", "::cue(b.loud)", "::cue(v b)", "::cue(v > b)", "::cue([voice=Ann] b)",
            "::cue(v[voice^='A'] > b)", "::cue(i + b)", "::cue(i ~ b)", "::cue(:lang(en) b)", "::cue(#id b)",
            "::cue(u), ::cue(b)", "::cue(*|b)", "::cue(v > |b)", "::cue(:root > v > b)", "::CUE(b)",
            "::cue([lang|=en] b)", "/* x */ ::cue( b )",
        ])
    func selectors(selector: String) throws {
        let text = "id\n" + body("<v Ann><i>x</i><i>y</i><b.loud>z</b>w")
        let style = "STYLE\n\(selector) { color: lime }\n\n"
        let track = try file("WEBVTT\n\n" + style + text).track
        let size = try #require(FrameSize(width: 1000, height: 1000))
        let shown = [ShownTrack(track, language: "en-GB")]
        let layout = FrameComposer(shown, size: size, measuring: CellMeasurer()).layout(
            at: CueTime(seconds: 1))
        let colors = layout.cues[0].lines[0].fragments.map { "\($0.run.text) \($0.style.color)" }
        #expect(colors == ["xy #ffffff", "z #00ff00", "w #ffffff"])
    }

    @Test(
        "that are invalid are ignored, and the others apply",
        arguments: [
            "video::cue { color: red }", ":cue(b) { color: red }", "::cue(b { color: red }",
            "::cue(b:hover) { color: red }",
            "::cue(b), nonsense { color: red }", "@import 'x'; ", "@media print { ::cue { color: red } }",
            "::cue { color: nonsense }", "::cue { colour: red }", "::cue { color: red blue }", "}",
            "::cue { display: none }",
        ])
    func invalid(style: String) throws {
        let valid = style.contains("(b {") ? "" : "::cue { color: lime }"
        let text = body("x", style: style + "\n" + valid)
        #expect(try color("x", in: text) == (valid.isEmpty || style == "}" ? "#ffffff" : "#00ff00"))
    }

    @Test("apply under a media query for screens, and under no other")
    func media() throws {
        for (query, applies) in [
            ("screen", true), ("all, print", true), ("print", false), ("(width)", false),
        ] {
            let style = "@media \(query) { ::cue { color: lime } }"
            #expect(try color("x", in: body("x", style: style)) == (applies ? "#00ff00" : "#ffffff"))
        }
    }

    @Test("count by importance, then selector, then order")
    func cascade() throws {
        let one = "::cue(b.c) { color: lime }\n::cue(b) { color: red }"
        #expect(try color("x", in: body("<b.c>x</b>", style: one)) == "#00ff00")
        let two = "::cue(b) { color: red }\n::cue(b) { color: lime }"
        #expect(try color("x", in: body("<b>x</b>", style: two)) == "#00ff00")
        let three = "::cue(b) { color: lime !important }\n::cue(b.c) { color: red }"
        #expect(try color("x", in: body("<b.c>x</b>", style: three)) == "#00ff00")
        let four = "::cue(.red) { color: lime }"
        #expect(try color("x", in: body("<c.red>x</c>", style: four)) == "#00ff00")
    }

    @Test("follow the time with :past and :future")
    func time() throws {
        let style = "::cue(:past) { color: lime }\n::cue(:future) { color: red; font-size: 50% }"
        let text = body("<c>a</c><00:01.000><c>b</c><00:05.000><c>c</c>", style: style)
        #expect(try color("ab", in: text, at: 1) == "#ffffff")
        #expect(try color("a", in: text, at: 2) == "#00ff00")
        #expect(try color("b", in: text, at: 2) == "#ffffff")
        #expect(try color("c", in: text, at: 2) == "#ff0000")
        #expect(try color("c", in: text, at: 6) == "#ffffff")
        #expect(try fragments(text, at: 2).allSatisfy { $0.style.fontSize == 50 })
    }

    @Test("have the color classes without a style sheet")
    func classes() throws {
        let found = try fragments(body("<c.yellow>a</c><c.lime.bg_blue>b</c>"))
        #expect(found.map(\.style.color.description) == ["#ffff00", "#00ff00"])
        #expect(found.map(\.style.backgrounds.count) == [0, 1])
    }

    @Test(
        "read colors in every form",
        arguments: [
            ("#0f0", "#00ff00"), ("#00ff0080", "rgba(0,255,0,0.5019607843137255)"),
            ("rgb(0, 255, 0)", "#00ff00"),
            ("rgb(0% 100% 0% / 50%)", "rgba(0,255,0,0.5)"), ("hsl(120, 100%, 50%)", "#00ff00"),
            ("hsla(-240deg 100% 50% / 1)", "#00ff00"), ("LIME", "#00ff00"), ("transparent", "rgba(0,0,0,0)"),
            ("rgba(300,-5,0,2)", "#ff0000"), ("rebeccapurple", "#663399"),
        ])
    func colors(text: String, color: String) throws {
        #expect(try self.color("x", in: body("x", style: "::cue { color: \(text) }")) == color)
    }

    @Test("set fonts, by the shorthand too, in units of the picture")
    func fonts() throws {
        let style =
            "::cue { font: italic bold 10vh/1.5 'My Font', serif }\n::cue(b) { font-size: 50%; font-weight: 300 }"
        let found = try fragments(body("x<b>y</b>", style: style))
        #expect(found.map(\.run.font.size) == [100, 50])
        #expect(found.map(\.run.font.weight) == [700, 300])
        #expect(found.map(\.run.font.families) == [["My Font", "serif"], ["My Font", "serif"]])
        #expect(found[0].style.lineHeight == .factor(1.5))
        let cue = try Scene(body("x", style: style)).layout.cues[0]
        #expect(cue.lines[0].rect.height == 150)
    }

    @Test("may have a size of 0, but none below it")
    func noSize() throws {
        for (size, wanted) in [("0", 0), ("0px", 0), ("-1px", 10)] as [(String, Double)] {
            let found = try fragments(body("x", style: "::cue { font-size: 10px; font-size: \(size) }"))
            #expect(found.map(\.run.font.size) == [wanted])
        }
    }

    @Test("have functions and blocks within each other up to a depth of 16")
    func depth() {
        func deepest(_ opening: String, _ depth: Int) -> [CSSToken] {
            var tokenizer = CSSTokenizer(String(repeating: opening, count: depth))
            var tokens = tokenizer.values()
            while let first = tokens.first {
                switch first {
                case .function(_, let within), .block(_, let within): tokens = within
                default: return tokens
                }
            }
            return tokens
        }
        for opening in ["f(", "("] {
            #expect(deepest(opening, 16).isEmpty && deepest(opening, 17) == [.bad])
        }
    }

    @Test("have numbers with digits behind their point, which else is no part of them")
    func points() {
        for (text, count) in [("1.5", 1), ("1.", 2), ("1.x", 3), ("-.5", 1)] {
            var tokenizer = CSSTokenizer(text)
            #expect(tokenizer.values().count == count)
        }
    }

    @Test("set the cue's own box with ::cue, and lines, shadows and outlines of its text")
    func decorations() throws {
        let style = """
            ::cue { background: #004000; outline: 2px solid red; opacity: 0.5; text-shadow: 1px 2px 3px blue }
            ::cue(u) { text-decoration: line-through lime }
            """
        let cue = try Scene(body("<u>x</u>", style: style)).layout.cues[0]
        #expect(cue.style.background.description == "#004000" && cue.style.opacity == 0.5)
        #expect(cue.style.outline?.width == 2)
        let fragment = try #require(cue.lines[0].fragments.first)
        #expect(fragment.style.decorations.map(\.line) == [.lineThrough])
        #expect(fragment.style.shadows.map(\.blur) == [3])
    }

    @Test("set regions with ::cue-region")
    func regions() throws {
        let style = "STYLE\n::cue-region(#r) { background: red; color: lime }\n\n"
        let scene = try Scene("REGION\nid:r\n\n" + style + body("x", "region:r"))
        #expect(scene.layout.regions.map(\.style.background.description) == ["#ff0000"])
        #expect(scene.layout.allCues[0].lines[0].fragments[0].style.color.description == "#00ff00")
    }

    @Test("set a region only if they are for all regions or for the one of its name")
    func otherRegions() throws {
        for (selector, applies) in [
            ("::cue-region", true), ("::cue-region(#r)", true), ("::cue-region(#s)", false),
            ("::cue-region(#r #s)", false), ("::cue(#r)", false), ("::cue", false),
        ] {
            let style = "STYLE\n\(selector) { background: red }\n\n"
            let scene = try Scene("REGION\nid:r\n\n" + style + body("x", "region:r"))
            let backgrounds = scene.layout.regions.map(\.style.background.description)
            #expect(backgrounds == [applies ? "#ff0000" : "rgba(0,0,0,0.8)"], "\(selector)")
        }
    }
}
