import SidebandSubtitles
import Testing

@Suite("Cue text")
struct CueTextTests {
    @Test(
        "resolves character references as HTML does",
        arguments: [
            ("&notin;&notit;&notin", "\u{2209}\u{AC}it;\u{AC}in"), ("&AMP&amp&Amp;", "&&&Amp;"),
            ("&#65;&#x41;&#X41&#65", "AAAA"), ("&#128;&#x9F;", "\u{20AC}\u{178}"),
            ("&#127;&#160;&#xA0;", "\u{7F}\u{A0}\u{A0}"),
            ("&#0;&#xD800;&#x110000;&#99999999999999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&#4294967361;", "\u{FFFD}"), ("&#;&#x;&;& &", "&#;&#x;&;& &"),
            ("&CounterClockwiseContourIntegral;", "\u{2233}"), ("&NotEqualTilde;", "\u{2242}\u{338}"),
            ("&zwnj;&AElig;&Aacute", "\u{200C}\u{C6}\u{C1}"), ("&lang;", "\u{27E8}"),
        ])
    func references(source: String, expected: String) {
        #expect(CueText(source).plainText == expected)
    }

    @Test("keeps elements deeper than the limit as text, and closes the right ones")
    func depth() {
        let depth = 100_000
        let text = CueText(
            String(repeating: "<b>", count: depth) + "x" + String(repeating: "</b>", count: depth) + "y")
        #expect(text.nodes.count == CueText.maximumDepth + 2)
        #expect(text.nodes.first?.end == text.nodes.count - 1)
        #expect(text.plainText == "xy")
    }

    @Test("is cut after the largest number of nodes")
    func nodes() {
        #expect(CueText(String(repeating: "<c></c>", count: 200_000)).nodes.count == CueText.maximumNodes)
    }

    @Test("keeps voices, languages and classes with their references and blanks in order")
    func annotations() throws {
        let text = CueText("<v.loud..first \t Ann &amp;\n Bob >Hi</v><lang en-GB>yes</lang>")
        guard case .element(let voice) = text.nodes.first?.content else {
            Issue.record("no voice")
            return
        }
        #expect(voice.tag == .voice)
        #expect(voice.classes == ["loud", "first"])
        #expect(voice.annotation == "Ann & Bob")
        #expect(text.plainText == "Hiyes")
    }

    @Test("gives its plain text without the readings of ruby")
    func ruby() {
        #expect(CueText("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>!").plainText == "漢字!")
    }

    @Test("is bounded where one tag has very many classes")
    func classes() {
        let text = CueText("<c" + String(repeating: ".a", count: 100_000) + ">x")
        guard case .element(let element) = text.nodes.first?.content else {
            Issue.record("no element")
            return
        }
        #expect(element.classes.count == CueText.maximumClasses)
    }
}
