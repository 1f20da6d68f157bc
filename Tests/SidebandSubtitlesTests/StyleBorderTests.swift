import Testing

@testable import SidebandSubtitles

@Suite("A token of a style sheet")
struct StyleTokenTests {
    private func tokens(_ text: String) -> [CSSToken] {
        var tokenizer = CSSTokenizer(text)
        return tokenizer.values()
    }

    @Test(
        "is a name with letters of every script, underscores and escapes of up to six digits",
        arguments: [
            ("a_b", "a_b"), ("_", "_"), ("\u{C0}b", "\u{C0}b"), ("\\00006cab", "lab"), ("\\6cab", "\u{6CAB}"),
            ("\\0 a", "\u{FFFD}a"), ("\\d800 a", "\u{FFFD}a"), ("\\110000 a", "\u{FFFD}a"),
            ("a\\", "a\u{FFFD}"),
        ])
    func names(text: String, name: String) {
        #expect(tokens(text) == [.ident(name)])
    }

    @Test("is a number with an exponent only if that has a digit")
    func exponents() {
        let cases: [(String, [CSSToken])] = [
            ("1e3", [.number(1000)]), ("1e-1px", [.dimension(0.1, "px")]), ("1e", [.dimension(1, "e")]),
            (".5.5", [.number(0.5), .number(0.5)]), ("1.5.5", [.number(1.5), .number(0.5)]),
            ("1e-", [.dimension(1, "e-")]), ("1e+", [.dimension(1, "e"), .delimiter("+")]),
        ]
        for (text, found) in cases { #expect(tokens(text) == found, "\(text)") }
    }

    @Test("is a sign alone where no name or comment follows it")
    func signs() {
        let cases: [(String, [CSSToken])] = [
            ("#", [.delimiter("#")]), ("#a", [.hash("a")]), ("/", [.delimiter("/")]),
            ("/**/a", [.ident("a")]), ("/*/*/a", [.ident("a")]), ("/*/ a", []),
        ]
        for (text, found) in cases { #expect(tokens(text) == found, "\(text)") }
    }

    @Test("is the same in small letters, of which there are 26")
    func lowercased() {
        #expect("@AZ[".asciiLowercased == "@az[")
        #expect("`az{".asciiLowercased == "`az{")
    }
}

@Suite("A color written as CSS")
struct StyleColorTextTests {
    @Test("is transparent in letters of either case")
    func transparent() {
        #expect(CueColor(.ident("Transparent")) == .clear && CueColor(.ident("transparent")) == .clear)
    }

    @Test("has two digits for each part")
    func digits() {
        #expect(CueColor(red: 15, green: 16, blue: 17).description == "#0f1011")
        #expect(CueColor(red: 0, green: 255, blue: 1).description == "#00ff01")
    }
}

@Suite("The styles of a cue with many elements")
struct StyleBudgetTests {
    @Test("are found for so many of them, by the number of rules; the others look like the text around them")
    func budget() throws {
        let frame = try #require(FrameSize(width: 1000, height: 1000))
        let sheet = CueStyleSheet([String(repeating: "::cue(u) { color: lime }\n", count: 2000)])
        let styler = CueStyler(sheet: sheet, language: "", frame: frame)
        let text = String(repeating: "<u></u>", count: 300)
        let styled = styler.style(
            cue(0, 10, text), CueText(text), at: CueTime(seconds: 1), base: styler.initial)
        let green = styled.styles.filter { $0.value.color.description == "#00ff00" }.keys.sorted()
        // 200 elements, the first of which is the cue itself.
        #expect(green == Array(0..<199))
        #expect(styled.styles.count == 300)
    }
}
