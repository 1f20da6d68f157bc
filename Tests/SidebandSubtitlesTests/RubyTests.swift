import SidebandSubtitles
import Testing

@Suite("Readings of ruby")
struct RubyTests {
    private func readings(_ text: String) throws -> [String] {
        try fragments(body(text)).filter(\.isReading).map(\.run.text)
    }

    @Test("stand above the text before them in their ruby, each above its own")
    func bases() throws {
        #expect(try readings("<ruby>a<rt>x</rt>b<rt>y</rt></ruby>") == ["x", "y"])
        let found = try fragments(body("<ruby>aa<rt>x</rt>bb<rt>y</rt></ruby>"))
        #expect(found.map(\.run.text) == ["aa", "x", "bb", "y"])
        #expect(found[1].rect.x == found[0].rect.x + 15 && found[3].rect.x == found[2].rect.x + 15)
    }

    @Test("without base text, or above text that has a reading already, are not shown")
    func baseless() throws {
        #expect(try readings("<ruby><rt>up</rt></ruby>x").isEmpty)
        #expect(try readings("a<ruby><rt>up</rt>b</ruby>").isEmpty)
        #expect(try readings("<ruby>a<ruby>b<rt>c</rt></ruby><rt>d</rt></ruby>") == ["c"])
        #expect(try readings("<ruby>a<rt></rt></ruby>").isEmpty)
        #expect(try readings("<rt>a</rt>b").isEmpty)
    }

    @Test("over a line end are above the text of the last line")
    func lineEnd() throws {
        let cue = try Scene(body("<ruby>a\nb<rt>c</rt></ruby>")).layout.cues[0]
        #expect(cue.lines.map { $0.fragments.map(\.run.text) } == [["a"], ["b", "c"]])
    }

    @Test("keep their text on one line, even if other text must break")
    func unbroken() throws {
        let (x, y) = (String(repeating: "x", count: 30), String(repeating: "y", count: 8))
        #expect(try Scene(body("\(x)<ruby>\(y)<rt>r</rt></ruby>\(x)")).lines.map(\.count) == [30, 33, 5])
        let spaced = try Scene(body("\(x.prefix(20)) <ruby>\(y) \(y)<rt>r</rt></ruby>")).lines
        #expect(spaced == [String(x.prefix(20)), "\(y) \(y)"])
        // Just behind their text, a line may end.
        let full = try Scene(body("\(x.prefix(25))<ruby>\(y)<rt>r</rt></ruby>\(x)")).lines
        #expect(full.map(\.count) == [33, 30])
    }

    @Test("that are wider than their text have room for themselves, and their text in their middle")
    func wide() throws {
        let found = try fragments(body("<ruby>a<rt>long</rt></ruby>b"))
        #expect(found.map(\.run.text) == ["a", "long", "b"])
        #expect(found.map(\.rect.x) == [470, 425, 545])
    }

    @Test("below their text make the line higher, as those above it do")
    func under() throws {
        let style = "::cue(rt) { ruby-position: under }"
        let cue = try Scene(body("<ruby>base<rt>down</rt></ruby>", style: style)).layout.cues[0]
        #expect(cue.lines.map(\.rect.height) == [120])
        let tops = cue.lines[0].fragments.map { $0.rect.y - cue.rect.y }
        #expect(tops == [0, 60])
    }

    @Test("do not reach over blanks at the end of a line, and are not shown above such blanks alone")
    func blanks() throws {
        #expect(try fragments(body("<ruby>a <rt>x</rt></ruby>")).map(\.run.text) == ["a", "x"])
        #expect(try fragments(body("a<ruby> <rt>x</rt></ruby>")).map(\.run.text) == ["a"])
    }

    @Test("stand above all the text of their ruby, that of a ruby within it included")
    func nested() throws {
        let found = try fragments(body("<ruby>a<ruby>b</ruby><rt>c</rt></ruby>"))
        #expect(found.map(\.run.text) == ["ab", "c"])
    }
}

@Suite("Upright text in vertical lines")
struct UprightTests {
    private let style = "::cue(c) { text-combine-upright: all }"

    @Test("takes one place however long it is, and no line ends in it", arguments: 0...20)
    func combined(count: Int) throws {
        let text = String(repeating: "日", count: count) + "<c>十二</c>月"
        let found = try fragments(body(text, "vertical:rl", style: style))
        #expect(found.filter(\.isCombined).map(\.run.text) == ["十二"])
        #expect(found.filter(\.isCombined).map(\.rect.height) == [60])
        #expect(found.allSatisfy { $0.run.isVertical != $0.isCombined })
    }

    @Test("is not there in lines from left to right")
    func horizontal() throws {
        #expect(try !fragments(body("日<c>12</c>月", style: style)).contains(where: \.isCombined))
    }
}
