import SidebandSubtitles
import Testing

/// The style of the text `x`, to whose element declarations apply, in a cue with others.
private func style(
    _ declarations: String, around: String = "", width: Int = 1000, height: Int = 500
) throws -> TextStyle {
    let rules = "::cue { \(around) }\n::cue(b) { \(declarations) }"
    let scene = try Scene(body("<b>x</b>y", style: rules), width: width, height: height)
    return try #require(scene.layout.cues[0].lines[0].fragments.first { $0.run.text.contains("x") }).style
}

@Suite("A style of fonts")
struct StyleFontTests {
    @Test(
        "has a line height of 0 or more, and else the one before",
        arguments: [
            ("line-height: 0", .factor(0)), ("line-height: 0px", .pixels(0)), ("line-height: -1", .factor(2)),
            ("line-height: -1px", .factor(2)), ("line-height: normal", .normal),
            ("line-height: 50%", .pixels(12.5)), ("font: 10px/0 serif", .factor(0)),
            ("font: 10px / 3 serif", .factor(3)), ("font: 10px/-1 serif", .factor(2)),
        ] as [(String, TextStyle.LineHeight)])
    func lineHeights(text: String, height: TextStyle.LineHeight) throws {
        #expect(try style("line-height: 2; \(text)").lineHeight == height)
    }

    @Test("has a line height of at most a hundred times its size")
    func highestLines() throws {
        #expect(try style("font-size: 1px; line-height: 100").lineHeight == .factor(100))
        #expect(try style("font-size: 1px; line-height: 101").lineHeight == .factor(100))
    }

    @Test("has the initial value of each part that the shorthand leaves out, not the one before or around it")
    func shorthand() throws {
        let before = "font-style: italic; font-weight: 900; line-height: 3"
        for found in [
            try style("\(before); font: 40px serif"), try style("font: 40px serif", around: before),
        ] {
            #expect(!found.isItalic && found.weight == 400 && found.lineHeight == .normal)
            #expect(found.fontSize == 40 && found.fontFamilies == ["serif"])
        }
        let given = try style("font: 300 small-caps oblique 40px serif")
        #expect(given.isItalic && given.weight == 300)
        #expect(try style("font-style: italic; font: normal 40px serif").isItalic == false)
    }

    @Test("is not changed by an invalid shorthand")
    func invalidShorthand() throws {
        for text in [
            "italic serif", "40px", "40px/ serif", "40px 5", "red 40px serif", "1001 40px serif", "-1px a",
        ] {
            let found = try style("font-size: 30px; font: \(text)")
            #expect(found.fontSize == 30 && found.weight == 700 && !found.isItalic, "\(text)")
        }
    }

    @Test(
        "has a weight of 1 to 1000, and else the one before",
        arguments: [
            ("1", 1), ("1000", 1000), ("0", 700), ("0.9", 700), ("1001", 700), ("normal", 400), ("bold", 700),
            ("heavy", 700),
        ])
    func weights(text: String, weight: Int) throws {
        #expect(try style("font-weight: \(text)").weight == weight)
    }

    @Test(
        "may be bolder or lighter than the text around it",
        arguments: [
            (100, "bolder", 400), (349, "bolder", 400), (350, "bolder", 700), (549, "bolder", 700),
            (550, "bolder", 900), (900, "bolder", 900), (100, "lighter", 100), (549, "lighter", 100),
            (550, "lighter", 400), (749, "lighter", 400), (750, "lighter", 700), (1000, "lighter", 700),
            (950, "bolder", 950), (50, "lighter", 50),
        ])
    func relativeWeights(around: Int, word: String, weight: Int) throws {
        #expect(try style("font-weight: \(word)", around: "font-weight: \(around)").weight == weight)
    }

    @Test(
        "has a size by name, at most as high as the picture",
        arguments: [
            ("xx-small", 15), ("x-small", 18.75), ("small", 22.22222222222), ("medium", 25), ("large", 30),
            ("x-large", 37.5), ("xx-large", 50), ("xxx-large", 75), ("larger", 60),
            ("smaller", 41.66666666667),
            ("500px", 500), ("501px", 500),
        ] as [(String, Double)])
    func sizes(text: String, size: Double) throws {
        #expect(abs(try style("font-size: \(text)", around: "font-size: 50px").fontSize - size) < 1e-9)
    }

    @Test("has up to 16 families, each a string or some words")
    func families() throws {
        #expect(try style("font-family: My  Font, 'A, b'").fontFamilies == ["My Font", "A, b"])
        let names = (1...17).map { "f\($0)" }
        let list = names.joined(separator: ", ")
        #expect(try style("font-family: \(list)").fontFamilies == Array(names.prefix(16)))
        for text in ["'a' b", "5", "a,", "a 5"] {
            #expect(try style("font-family: \(text)").fontFamilies == ["sans-serif"])
        }
    }
}

@Suite("A style of lines, outlines and shadows")
struct StyleLineTests {
    @Test("draws an outline only with a style, by default 3 pixels thick and in the color of the text")
    func outline() throws {
        for text in ["2px red", "red", "2px", "none", "hidden", "2px red none"] {
            #expect(try style("color: lime; outline: \(text)").outline == nil)
        }
        let plain = try style("color: lime; outline: solid").outline
        #expect(plain?.width == 3 && plain?.color.description == "#00ff00")
        let full = try style("color: lime; outline: thick dotted red").outline
        #expect(full?.width == 5 && full?.color.description == "#ff0000")
    }

    @Test("has an outline as before when the new one is invalid")
    func invalidOutline() throws {
        for text in ["1px 'x'", "1px solid 5", "-1px solid", "10% solid"] {
            #expect(try style("outline: 2px solid red; outline: \(text)").outline?.width == 2)
        }
    }

    @Test(
        "has an outline of 0 pixels or more, which is no percentage; of 0 it is not there",
        arguments: [
            ("0", nil), ("0px", nil), ("0.5px", 0.5), ("-1px", 2), ("10%", 2), ("5", 2), ("thin", 1),
            ("medium", 3), ("thick", 5),
        ] as [(String, Double?)])
    func outlineWidths(text: String, width: Double?) throws {
        #expect(try style("outline: 2px solid red; outline-width: \(text)").outline?.width == width)
    }

    @Test("has no outline any more after one without a style")
    func noOutline() throws {
        for text in ["outline: none", "outline: hidden", "outline-style: none", "outline-style: hidden"] {
            #expect(try style("outline: 2px solid red; \(text)").outline == nil, "\(text)")
        }
    }

    @Test("has no lines any more after `none`, or after a color alone")
    func noLines() throws {
        for text in ["text-decoration: none", "text-decoration-line: none", "text-decoration: lime"] {
            #expect(try style("text-decoration: underline; \(text)").decorations.isEmpty, "\(text)")
        }
    }

    @Test("has lengths of up to four times the longer side of the picture")
    func lengths() throws {
        for (text, length) in [
            ("3000px", 3000), ("4000px", 4000), ("4001px", 4000), ("500vw", 4000),
        ] as [(String, Double)] {
            #expect(try style("outline: \(text) solid").outline?.width == length)
        }
        #expect(try style("outline: 3000px solid", width: 500, height: 1000).outline?.width == 3000)
        let shadow = try style("text-shadow: -5000px 5000px 65px").shadows
        #expect(shadow.map { [$0.x, $0.y, $0.blur] } == [[-4000, 4000, 64]])
    }

    @Test(
        "has lines along the text, whatever their pattern and thickness",
        arguments: [
            ("underline", [.underline]), ("solid underline", [.underline]), ("underline 10%", [.underline]),
            ("underline lime wavy 2px", [.underline]), ("overline underline", [.overline, .underline]),
            ("none", []), ("line-through dashed", [.lineThrough]),
        ] as [(String, [TextStyle.Decoration.Line])])
    func decorations(text: String, lines: [TextStyle.Decoration.Line]) throws {
        let found = try style("text-decoration: \(text)").decorations
        #expect(found.map(\.line) == lines)
        let color = text.contains("lime") ? "#00ff00" : "#ffffff"
        #expect(found.allSatisfy { $0.color.description == color })
    }

    @Test(
        "has the lines from before when the new ones are invalid",
        arguments: [
            "underline 'x'", "underline 5", "underline url(x)", "underline #12", "underline shaky",
            "underline none", "none underline",
        ])
    func invalidDecorations(text: String) throws {
        let found = try style("text-decoration: line-through red; text-decoration: \(text)").decorations
        #expect(found.map { "\($0.line.rawValue) \($0.color)" } == ["line-through #ff0000"])
    }

    @Test("has up to eight shadows, each of two or three lengths and perhaps a color")
    func shadows() throws {
        let nine = (1...9).map { "\($0)px 0" }.joined(separator: ", ")
        #expect(try style("text-shadow: \(nine)").shadows.map(\.x) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(try style("text-shadow: 1px 2px; text-shadow: none").shadows.isEmpty)
        let mixed = try style("color: lime; text-shadow: red 1px 2px 3px, 4px 5px").shadows
        #expect(mixed.map { [$0.x, $0.y, $0.blur] } == [[1, 2, 3], [4, 5, 0]])
        #expect(mixed.map(\.color.description) == ["#ff0000", "#00ff00"])
        for text in [
            "1px", "1px 2px 3px 4px", "1px 2px 10%", "1px 2px, none", "none, 1px 2px", "1px 2px 'x'",
        ] {
            #expect(
                try style("text-shadow: 7px 7px; text-shadow: \(text)").shadows.map(\.x) == [7], "\(text)")
        }
    }
}

@Suite("A style that is switched")
struct StyleSwitchTests {
    @Test("on is off again after the opposite word")
    func words() throws {
        for (text, isVisible) in [("hidden", false), ("collapse", false), ("visible", true)] {
            #expect(try style("visibility: hidden; visibility: \(text)").isVisible == isVisible)
        }
        for (text, combines) in [("all", true), ("digits", true), ("none", false)] {
            let found = try style("text-combine-upright: all; text-combine-upright: \(text)")
            #expect(found.combinesUpright == combines)
        }
        for (text, isUnder) in [("under", true), ("over", false), ("alternate", false)] {
            let found = try style("ruby-position: under; ruby-position: \(text)")
            #expect(found.rubyIsUnder == isUnder)
        }
    }
}
