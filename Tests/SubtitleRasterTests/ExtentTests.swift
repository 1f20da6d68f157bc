import Testing

@testable import SidebandSubtitles
@testable import SubtitleRaster

@Suite("The room that text takes")
struct ExtentTests {
    /// The fonts with Chinese characters are taller than the usual ones without.
    @Test(
        "is that of its own font at least, and that of a taller font which has its letters",
        arguments: [("字", true), ("ก", false), ("ב", false)])
    func fallback(_ letters: String, isTaller: Bool) throws {
        let text = try PangoText()
        let font = FontRequest(TextStyle(fontSize: 40))
        let own = text.measure(TextRun(text: "x", font: font))
        let other = text.measure(TextRun(text: letters, font: font))
        #expect(other.ascent >= own.ascent && other.descent >= own.descent)
        if isTaller { #expect(other.ascent > own.ascent && other.descent > own.descent) }
    }
}
