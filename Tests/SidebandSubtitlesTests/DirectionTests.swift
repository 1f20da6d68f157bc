import Testing

@testable import SidebandSubtitles

@Suite("The direction of a cue's text")
struct DirectionTests {
    @Test(
        "is that of its first letter or of a mark; without either it is left to right",
        arguments: [
            ("abc", false), ("שלום", true), ("سلام", true), ("12:30", false), ("…", false), ("12 שלום", true),
            ("abc שלום", false), ("\u{200F}12", true), ("\u{61C}12", true), ("\u{202B}12", true),
            ("\u{200E}שלום", false), ("\u{202A}שלום", false), ("\u{202D}שלום", false), ("\u{202E}abc", true),
            // What is isolated does not count, and an end of nothing isolates nothing.
            ("\u{2067}שלום\u{2069} abc", false), ("\u{2068}abc\u{2069} שלום", true), ("\u{2069}שלום", true),
            ("\u{2067}\u{200F}\u{2069}12", false), ("\u{2066}\u{200E}\u{2069}שלום", true),
        ])
    func first(text: String, isRightToLeft: Bool) throws {
        let box = try #require(try Scene(body(text, "align:start")).layout.cues.first?.inkRect)
        #expect(isRightToLeft ? box.right == 1000 : box.x == 0)
        let track = SubtitleTrack(cues: try cues(body(text, "line:0 align:start")))
        let written = SidebandSubtitlesTests.text(ASSWriter().bytes(of: track))
        #expect(written.contains(isRightToLeft ? "\\an9\\pos(" : "\\an7\\pos(0,0)"))
    }

    @Test("is given to the painter for each line")
    func runs() throws {
        let found = try fragments(body("abc\nשלום\n12"))
        #expect(found.map(\.run.isRightToLeft) == [false, true, false])
    }

    @Test(
        "has parts in the order in which they are seen",
        arguments: [
            ([0, 0, 0], [0, 1, 2]), ([1, 1, 1], [2, 1, 0]), ([0, 1, 1, 0], [0, 2, 1, 3]),
            ([1, 2, 2, 1], [3, 1, 2, 0]), ([0, 1, 2, 1, 0, 1], [0, 3, 2, 1, 4, 5]), ([2, 0, 1], [0, 1, 2]),
            ([], []),
        ] as [([UInt8], [Int])])
    func visual(levels: [UInt8], order: [Int]) {
        #expect(BidirectionalOrder.visual(Array(levels.indices)) { levels[$0] } == order)
    }
}
