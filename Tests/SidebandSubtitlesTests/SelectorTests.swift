import SidebandSubtitles
import Testing

@Suite("A selector of a style sheet")
struct SelectorTests {
    /// Whether a rule with a selector applies to the text `x` of a cue.
    private func applies(_ selector: String, to text: String, language: String = "") throws -> Bool {
        let style = "STYLE\n\(selector) { color: lime }\n\n"
        let shown = ShownTrack(try file("WEBVTT\n\n" + style + body(text)).track, language: language)
        let size = try #require(FrameSize(width: 1000, height: 1000))
        let layout = FrameComposer([shown], size: size, measuring: CellMeasurer()).layout(
            at: CueTime(seconds: 1))
        let fragments = layout.cues[0].lines[0].fragments
        let named = try #require(fragments.first { $0.run.text.contains("x") })
        return named.style.color.description == "#00ff00"
    }

    @Test(
        "are voices by their whole name, a word, the beginning, the end or a part of it",
        arguments: [
            ("[voice*='Ann Lee']", true), ("[voice*='n L']", true), ("[voice*='Ann Lee!']", false),
            ("[voice*='']", false), ("[voice^=Ann]", true), ("[voice^='']", false), ("[voice^=Lee]", false),
            ("[voice$=Lee]", true), ("[voice$='']", false), ("[voice$=Ann]", false), ("[voice~=Lee]", true),
            ("[voice~=Le]", false), ("[voice='Ann Lee']", true), ("[voice=Ann]", false), ("[voice]", true),
            ("[voice='ann lee' i]", true), ("[voice='ann lee']", false), ("[voice='Ann Lee' s]", true),
            ("[voice='ann lee' s]", false), ("[voice='Ann Lee' x]", false),
            ("[voice='ann lee' i x]", false), ("[voice='ann lee' i 5]", false),
            ("[voice='Ann Lee' 5]", false),
            ("[lang]", false),
            ("[voice|='Ann Lee']", true), ("[voice|=Ann]", false), ("[voice|='ann lee']", false),
        ])
    func voices(test: String, isNamed: Bool) throws {
        #expect(try applies("::cue(v\(test))", to: "<v Ann Lee>x</v>y") == isNamed)
    }

    @Test(
        "are languages by ranges",
        arguments: [
            ("en", "en", true), ("en", "en-GB", true), ("en-GB", "en", false), ("en-gb", "en-Latn-GB", true),
            ("en-GB", "en-x-GB", false), ("'*-GB'", "en-GB", true), ("'*'", "en", true),
            ("'en-*-GB'", "en-GB", true),
            ("de, \"en\"", "en", true), ("de, fr", "en", false), ("en", "eng", false), ("en", "", false),
            ("''", "", false), ("en de", "en", false), ("5", "en", false),
        ])
    func languages(range: String, language: String, isNamed: Bool) throws {
        #expect(try applies("::cue(b:lang(\(range)))", to: "<b>x</b>y", language: language) == isNamed)
    }

    @Test("are in the language of the nearest element that has one, or else of the track")
    func nearestLanguage() throws {
        #expect(try applies("::cue(b:lang(fr))", to: "<lang fr><b>x</b></lang>y", language: "en"))
        #expect(try !applies("::cue(b:lang(en))", to: "<lang fr><b>x</b></lang>y", language: "en"))
        #expect(try applies("::cue(b:lang(en))", to: "<lang fr>y</lang><b>x</b>", language: "en"))
        #expect(try applies("::cue(b:lang(en))", to: "<v fr><b>x</b></v>y", language: "en"))
        #expect(try applies("::cue([lang=fr] b)", to: "<lang fr><b>x</b></lang>y"))
    }

    @Test(
        "may be written with escapes",
        arguments: [
            "::cue(.\\6c oud)", "::cue(.\\00006Coud)", "::cue(.l\\oud)", "::cue(\\62.loud)",
            "::cue([voice='A\\6e n'] b)", "::cue([voice='A\\\nnn'] b)", "::c\\75 e(b)", "::cue(b\n)",
        ])
    func escapes(selector: String) throws {
        #expect(try applies(selector, to: "<v Ann><b.loud>x</b>y"))
    }

    @Test(
        "have no matches for an invalid selector",
        arguments: [
            "::*", "::'cue'", "::5", "::cue()", "::cue(b) b", "::cue(b,)", "::cue(>b)", "::cue(b >)",
            "::cue([voice=5])", "::cue([5])", "::cue(.5)", "::cue(b:)", "::cue(\\\nb)", "::cue([voice'Ann'])",
            "::cue(b::past)",
        ])
    func invalid(selector: String) throws {
        #expect(try !applies(selector, to: "<v Ann><b>x</b>y"))
    }

    @Test("may be any elements, also within others or of a class")
    func universal() throws {
        for (selector, isNamed) in [
            ("::cue(*)", true), ("::cue(*.loud)", true), ("::cue(b *)", true), ("::cue(* > b)", true),
            ("::cue(i *)", false), ("::cue(*.low)", false),
        ] {
            #expect(try applies(selector, to: "<b><i.loud>x</i>y</b>") == isNamed, "\(selector)")
        }
    }

    @Test("are up to 32 elements in one another, and no more")
    func depth() throws {
        let text = String(repeating: "<b>", count: 40) + "x"
        let parts = (32...33).map { Array(repeating: "b", count: $0).joined(separator: " ") }
        #expect(try applies("::cue(\(parts[0]))", to: text))
        #expect(try !applies("::cue(\(parts[1]))", to: text))
    }
}

@Suite("A declaration of a style sheet")
struct DeclarationTests {
    /// The style of the text `x`.
    private func style(_ declarations: String, of subject: String = "::cue(b)") throws -> TextStyle {
        let text = body("<b>x</b>y", style: "\(subject) { \(declarations) }")
        let size = try Scene(text, width: 1000, height: 500).layout
        return try #require(size.cues[0].lines[0].fragments.first { $0.run.text.contains("x") }).style
    }

    @Test(
        "takes currentcolor and em from its color and font size, in any order"
    )
    func order() throws {
        for text in ["background: currentcolor; color: lime", "color: lime; background: currentcolor"] {
            #expect(try style(text).backgrounds.map(\.description) == ["#00ff00"])
        }
        for text in ["outline: 1em solid; font-size: 50px", "font-size: 50px; outline: 1em solid"] {
            #expect(try style(text).outline?.width == 50)
        }
    }

    @Test("draws an outline where it has a style and a width, and a background where it can be seen")
    func drawn() throws {
        for text in [
            "outline-width: 2px", "outline-color: red", "outline: 0 solid red", "outline: 2px none red",
        ] {
            #expect(try style(text).outline == nil)
        }
        #expect(try style("outline: 2px solid red").outline?.width == 2)
        #expect(try style("background: transparent").backgrounds.isEmpty)
        #expect(try style("background: rgba(0,0,0,0.01)").backgrounds.count == 1)
    }

    @Test("of the whole cue is its box's, not that of each text in it")
    func root() throws {
        let found = try style("background: red; opacity: 0.5; outline: 1px solid", of: "::cue")
        #expect(found.backgrounds.isEmpty && found.opacity == 1 && found.outline == nil)
    }

    @Test(
        "measures in every unit",
        arguments: [
            ("40px", 40), ("2em", 50), ("2rem", 50), ("2ex", 25), ("2ch", 25), ("10vh", 50), ("10vw", 100),
            ("10vmin", 50), ("10vmax", 100), ("30pt", 40), ("3pc", 48), ("0.5in", 48), ("2.54cm", 96),
            ("25.4mm", 96), ("200%", 50), ("1e1px", 10), ("+.5em", 12.5), ("1E+1px", 10), ("40qq", 25),
            ("40", 25),
            ("40-px", 25), ("1.px", 25),
        ])
    func units(size: String, pixels: Double) throws {
        #expect(abs(try style("font-size: \(size)").fontSize - pixels) < 1e-9)
    }

    @Test(
        "has no color where its form is wrong",
        arguments: [
            "#12", "#12345", "#1234567", "#ggg", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(0 0 0 / red)",
            "rgb(red,0,0)", "hsl(red, 100%, 50%)", "hsl(1, red, 50%)", "hsl(1, 50%, red)", "lab(1,2,3)", "5",
            "'red'",
        ])
    func colors(color: String) throws {
        #expect(try style("color: \(color)").color.description == "#ffffff")
    }

    @Test(
        "has hues in degrees, turns, radians and grads, all the way round",
        arguments: [
            ("0", "#ff0000"), ("60", "#ffff00"), ("120deg", "#00ff00"), ("0.5turn", "#00ffff"),
            ("4.18879rad", "#0000ff"), ("-60", "#ff00ff"), ("400grad", "#ff0000"), ("480", "#00ff00"),
        ])
    func hues(hue: String, color: String) throws {
        #expect(try style("color: hsl(\(hue), 100%, 50%)").color.description == color)
        #expect(try style("color: hsl(\(hue), 0%, 50%)").color.description == "#808080")
        #expect(try style("color: hsl(\(hue), 100%, 100%)").color.description == "#ffffff")
    }
}
