import Testing

@testable import SidebandSubtitles

@Suite("Text in cells")
struct LayoutCellTests {
    /// A text with `|` where a line may end.
    private func breaks(_ text: String) -> String {
        let analysis = CellMeasurer().analyze(text, isRightToLeft: false)
        var marked = String.UnicodeScalarView()
        for (scalar, mayBreak) in zip(text.unicodeScalars, analysis.mayBreakBefore) {
            if mayBreak { marked.append("|") }
            marked.append(scalar)
        }
        return String(marked)
    }

    @Test(
        "breaks after blanks and hyphens and around wide characters, and nowhere else",
        arguments: [
            ("ab cd", "ab |cd"), ("a  b", "a  |b"), (" a", " |a"), ("a ", "a "), ("a-b", "a-|b"),
            ("-a", "-|a"),
            ("a_b", "a_b"), ("日本", "日|本"), ("a日b", "a|日|b"), ("日 本", "日 |本"),
            // A character is not divided.
            ("か\u{3099}き", "か\u{3099}|き"), ("e\u{301}-f", "e\u{301}-|f"),
            ("\u{1F44D}\u{1F3FD}a", "\u{1F44D}\u{1F3FD}|a"), ("", ""),
            ("日\u{301}a", "日\u{301}|a"), ("\u{1F5FA}\u{FE0F}a", "\u{1F5FA}\u{FE0F}|a"),
        ])
    func places(text: String, marked: String) {
        #expect(breaks(text) == marked)
    }

    @Test("has characters of one or several scalars, all in the direction of the paragraph")
    func characters() {
        let analysis = CellMeasurer().analyze("e\u{301}f", isRightToLeft: true)
        #expect(analysis.startsCharacter == [true, false, true])
        #expect(analysis.levels == [1, 1, 1])
        #expect(CellMeasurer().analyze("ab", isRightToLeft: false).levels == [0, 0])
    }

    @Test(
        "takes two cells for a wide character, and else one",
        arguments: [
            (0x10FF, 1), (0x1100, 2), (0x115F, 2), (0x1160, 1), (0x2E80, 2), (0x303E, 2), (0x303F, 1),
            (0x3041, 2), (0xA4C6, 2), (0xA4D0, 1), (0xAC00, 2), (0xD7A3, 2), (0xD7B0, 1), (0xF900, 2),
            (0xFB00, 1), (0xFE30, 2), (0xFE6B, 2), (0xFE70, 1), (0xFF01, 2), (0xFF60, 2), (0xFF61, 1),
            (0xFFE0, 2), (0xFFE6, 2), (0xFFE8, 1), (0x1F300, 2), (0x1FAF8, 2), (0x20000, 2), (0x3FFFD, 2),
        ] as [(UInt32, Int)])
    func cells(value: UInt32, count: Int) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(CellMeasurer.cells(of: Character(scalar)) == count)
    }
}

@Suite("Line ends of a cue")
struct LayoutLineTests {
    /// The paragraphs of a text before they are broken into lines.
    private func paragraphs(_ text: String, _ whiteSpace: TextStyle.WhiteSpace) throws -> [String] {
        let frame = try #require(FrameSize(width: 1000, height: 1000))
        let sheet = CueStyleSheet(["::cue { white-space: \(whiteSpace.rawValue) }"])
        let styler = CueStyler(sheet: sheet, language: "", frame: frame)
        let content = CueText(text)
        let styled = styler.style(
            cue(0, 10, text), content, at: CueTime(seconds: 1), base: styler.initial)
        let inline = InlineContent(content, styled, language: "")
        return inline.paragraphs.map { $0.text($0.scalars.indices) }
    }

    @Test(
        "take the blanks around them away, unless blanks are kept",
        arguments: [
            (.normal, ["a b c"]), (.nowrap, ["a b c"]), (.preLine, ["a", "b c"]), (.pre, ["a ", " b  c "]),
            (.preWrap, ["a ", " b  c "]), (.breakSpaces, ["a ", " b  c "]),
        ] as [(TextStyle.WhiteSpace, [String])])
    func blanks(whiteSpace: TextStyle.WhiteSpace, wanted: [String]) throws {
        #expect(try paragraphs("a \n b  c ", whiteSpace) == wanted)
    }

    @Test(
        "have blanks before them that take room where styles say so",
        arguments: [(.pre, 120), (.preWrap, 30), (.breakSpaces, 120)] as [(TextStyle.WhiteSpace, Double)])
    func blanksAtEnd(whiteSpace: TextStyle.WhiteSpace, width: Double) throws {
        let style = "::cue { white-space: \(whiteSpace.rawValue) }"
        let line = try #require(try Scene(body("a   ", style: style)).layout.allCues.first?.lines.first)
        #expect(line.rect.width == width)
    }

    @Test("do not divide a word that is just as wide as the line")
    func fittingWord() throws {
        func counts(_ count: Int) throws -> [Int] {
            try Scene(body(String(repeating: "x", count: count), "size:99%")).lines.map(\.count)
        }
        #expect(try counts(33) == [33])
        #expect(try counts(34) == [33, 1])
    }

    @Test("do not divide a word that is a hundredth of a pixel too wide, as sums of widths may be")
    func rounding() throws {
        let size = try #require(FrameSize(width: 1000, height: 1000))
        let track = ShownTrack(SubtitleTrack(cues: [cue(0, 10, "c abcd")]))
        func lines(cellWidth: Double) -> [String] {
            let measurer = CellMeasurer(cellWidth: cellWidth)
            let composer = FrameComposer([track], size: size, measuring: measurer)
            return composer.layout(at: CueTime(seconds: 1)).allCues.flatMap(\.lines).map(\.text)
        }
        #expect(lines(cellWidth: (1000 + 0.01) / 4) == ["c", "abcd"])
        #expect(lines(cellWidth: (1000 + 0.02) / 4) == ["c a", "bcd"])
    }

    @Test("make up to ten lines equally long; of more lines, each is as full as it can be")
    func balance() throws {
        func first(_ words: Int) throws -> [Int] {
            let text = Array(repeating: "x", count: words).joined(separator: " ")
            let lines = try Scene(body(text, "line:0")).lines
            return [lines.count, lines[0].count]
        }
        #expect(try first(18) == [2, 17])
        #expect(try first(154) == [10, 31])
        #expect(try first(171) == [11, 33])
    }

    @Test("may stand before and after upright text, but not within it")
    func combined() throws {
        let style = "::cue(c) { text-combine-upright: all }"
        let lines = try Scene(body("日<c>十二</c>月", "vertical:rl size:6%", style: style)).lines
        #expect(lines == ["日", "十二", "月"])
    }

    @Test("stay before upright text behind a value that is none")
    func unknownCombination() throws {
        let style = "::cue(c) { text-combine-upright: all; text-combine-upright: nonsense }"
        let lines = try Scene(body("日<c>十二</c>月", "vertical:rl size:6%", style: style)).lines
        #expect(lines == ["日", "十二", "月"])
    }
}

@Suite("The base direction of a text")
struct LayoutDirectionTests {
    private func isRightToLeft(_ text: String) -> Bool { BaseDirection.isRightToLeft(text.unicodeScalars) }

    @Test(
        "does not come from isolated text, not even between the ends of isolates within each other",
        arguments: [
            ("\u{2067}\u{2066}a\u{2069}\u{5D0}\u{2069}b", false),
            ("\u{2066}\u{2067}\u{5D0}\u{2069}b\u{2069}\u{5D0}", true),
            ("\u{2068}\u{2068}b\u{2069}\u{200E}\u{2069}\u{5D0}", true),
            // Without an end, all that follows is isolated.
            ("\u{2067}\u{5D0}", false), ("\u{2067}\u{2067}\u{2069}\u{5D0}", false),
        ])
    func isolates(text: String, isRightToLeft: Bool) {
        #expect(self.isRightToLeft(text) == isRightToLeft)
    }

    @Test("is right to left for the letters of Hebrew, Arabic and their kin")
    func scripts() {
        for letter in ["\u{5D0}", "\u{628}", "\u{8A0}", "\u{FB1D}", "\u{FE70}", "\u{FEFC}", "\u{10800}"] {
            #expect(isRightToLeft(letter))
        }
        #expect(isRightToLeft("\u{1E800}"))
        for letter in ["\u{561}", "\u{904}", "\u{FB00}", "\u{FF21}", "\u{10400}", "\u{4E00}"] {
            #expect(!isRightToLeft(letter + "\u{5D0}"))
        }
    }
}
