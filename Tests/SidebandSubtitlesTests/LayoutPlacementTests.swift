import Testing

@testable import SidebandSubtitles

@Suite("The place of a cue's box")
struct LayoutPlacementTests {
    @Test(
        "is the lower edge for a percentage that is none, which no file can have",
        arguments: [(-1, 100), (-0.5, 100), (0, 0), (100, 100), (100.5, 100)] as [(Double, Double)])
    func lines(line: Double, place: Double) {
        var settings = CueSettings()
        settings.line = line
        #expect(CuePlacement(settings, track: 0, isRightToLeft: false).line == line)
        settings.snapsToLines = false
        #expect(CuePlacement(settings, track: 0, isRightToLeft: false).line == place)
    }

    @Test(
        "is that of a percentage across vertical lines, too",
        arguments: [
            ("vertical:rl line:50%", [500.0, 440, 560, 560]),
            ("vertical:rl line:50%,end", [440, 440, 500, 560]),
            ("vertical:lr line:50%,center", [470, 440, 530, 560]),
        ])
    func vertical(settings: String, box: [Double]) throws {
        #expect(try Scene(body("ab", settings)).boxes == ["ab": box])
    }

    @Test("is the upper edge for a line number if lines have no height")
    func flatLines() throws {
        let scene = try Scene(body("x", style: "::cue { line-height: 0 }"))
        #expect(scene.layout.cues.map(\.rect.y) == [0])
    }
}
