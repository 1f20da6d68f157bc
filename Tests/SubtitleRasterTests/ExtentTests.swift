import Testing

@testable import SidebandSubtitles
@testable import SubtitleRaster

@Suite("The room that text takes")
struct ExtentTests {
    @Test("is that of its own font at least, and that of a taller font which has its letters", arguments: ["字", "ก", "ב"])
    func fallback(_ letters: String) throws {
        let text = try PangoText()
        let font = FontRequest(TextStyle())
        let own = text.measure(TextRun(text: "x", font: font))
        let other = text.measure(TextRun(text: letters, font: font))
        print(letters, own, other)
        #expect(other.ascent >= own.ascent && other.descent >= own.descent)
    }
}
