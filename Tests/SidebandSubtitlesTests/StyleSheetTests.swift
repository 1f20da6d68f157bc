import Testing

@testable import SidebandSubtitles

@Suite("A style sheet")
struct StyleSheetTests {
    private let rule = "::cue(b){color:red}"

    @Test("has up to two thousand selectors, those of a list counted one by one")
    func selectors() {
        let most = CueStyleSheet.maximumSelectors
        for count in [most - 1, most, most + 1] {
            let sheet = CueStyleSheet([String(repeating: rule, count: count)])
            #expect(sheet.rules.count == min(count, most))
        }
        let list = CueStyleSheet([
            String(repeating: rule, count: most - 1), "::cue(i), ::cue(u), ::cue(c) { color: lime }",
        ])
        #expect(list.rules.count == most)
        #expect(list.rules.last?.selector.parts.map(\.conditions) == [[CompoundSelector.Condition.type("i")]])
    }

    @Test("is left out when it and those before it have more than 2^20 bytes")
    func bytes() {
        let most = CueStyleSheet.maximumBytes
        func padded(_ count: Int) -> String {
            rule + String(repeating: " ", count: count - rule.utf8.count)
        }
        #expect(CueStyleSheet([padded(most)]).rules.count == 1)
        #expect(CueStyleSheet([padded(most + 1)]).rules.isEmpty)
        let rest = most - rule.utf8.count
        #expect(CueStyleSheet([padded(rest), rule]).rules.count == 2)
        #expect(CueStyleSheet([padded(rest + 1), rule]).rules.count == 1)
        #expect(CueStyleSheet([padded(most + 1), rule]).rules.count == 1)
    }

    @Test("has names that may begin with a hyphen, which alone is none")
    func hyphens() {
        let cases: [(String, [CSSToken])] = [
            ("-", [.delimiter("-")]), ("a -", [.ident("a"), .whitespace, .delimiter("-")]),
            ("- a", [.delimiter("-"), .whitespace, .ident("a")]), ("-a", [.ident("-a")]),
            ("--", [.ident("--")]), ("5-", [.number(5), .delimiter("-")]), ("5-a", [.dimension(5, "-a")]),
            ("-5", [.number(-5)]), ("-.5", [.number(-0.5)]), ("-.", [.delimiter("-"), .delimiter(".")]),
            ("@-", [.delimiter("@"), .delimiter("-")]), ("@-a", [.atKeyword("-a")]), ("#-", [.hash("-")]),
        ]
        for (text, tokens) in cases {
            var tokenizer = CSSTokenizer(text)
            let found = tokenizer.values()
            #expect(found == tokens, "\(text)")
        }
    }
}

@Suite("Text between timestamps")
struct StyleTimestampTests {
    private let style = "::cue(:past) { color: lime }\n::cue(:future) { background: red }"

    /// The texts of a cue, each with `past` and `future` where it is so.
    private func times(_ text: String, at seconds: Double) throws -> [String] {
        try fragments(body(text, style: style), at: seconds).map { fragment in
            let past = fragment.style.color.description == "#00ff00" ? " past" : ""
            let future = fragment.style.backgrounds.isEmpty ? "" : " future"
            return fragment.run.text + past + future
        }
    }

    @Test("is past by any timestamp behind it, and future by any before it, in whatever order they stand")
    func order() throws {
        let text = "<c>a</c><00:06.000><c>b</c><00:05.000><c>c</c><00:01.000><c>d</c>"
        #expect(try times(text, at: 0.5) == ["a", "bcd future"])
        #expect(try times(text, at: 2) == ["a past", "bc past future", "d future"])
        #expect(try times(text, at: 5.5) == ["a past", "bc past future", "d future"])
        #expect(try times(text, at: 7) == ["abc past", "d"])
    }

    @Test("is neither past nor future at the very time of its timestamp")
    func exactTime() throws {
        let text = "<c>a</c><00:03.000><c>b</c>"
        #expect(try times(text, at: 2.999) == ["a", "b future"])
        #expect(try times(text, at: 3) == ["ab"])
        #expect(try times(text, at: 3.001) == ["a past", "b"])
    }

    @Test("is neither past nor future by a timestamp within its element")
    func within() throws {
        let text = "<c>a<00:03.000>b</c>"
        for seconds in [2, 3, 4] as [Double] {
            #expect(try times(text, at: seconds) == ["ab"])
        }
    }
}
