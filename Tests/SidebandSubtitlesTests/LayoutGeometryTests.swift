import Testing

@testable import SidebandSubtitles

@Suite("A rectangle of a picture")
struct LayoutGeometryTests {
    @Test("may be a hundredth of a pixel beyond each side of the picture, but not more")
    func within() throws {
        let frame = try #require(FrameSize(width: 1000, height: 500))
        for (beyond, isWithin) in [(0, true), (0.01, true), (0.02, false)] as [(Double, Bool)] {
            let rects = [
                FrameRect(x: -beyond, y: 0, width: 10, height: 10),
                FrameRect(x: 0, y: -beyond, width: 10, height: 10),
                FrameRect(x: 0, y: 0, width: 1000 + beyond, height: 10),
                FrameRect(x: 0, y: 0, width: 10, height: 500 + beyond),
            ]
            #expect(rects.map { $0.isWithin(frame) } == Array(repeating: isWithin, count: 4))
        }
    }

    @Test("overlaps another one when they have more than a hundredth of a pixel in common")
    func overlap() {
        for (common, overlaps) in [(0, false), (0.01, false), (0.02, true)] as [(Double, Bool)] {
            let left = FrameRect(x: 0, y: 0, width: 10 + common, height: 10)
            let right = FrameRect(x: 10, y: 0, width: 10, height: 10)
            #expect(left.overlaps(right) == overlaps)
            #expect(right.overlaps(left) == overlaps)
            let upper = FrameRect(x: 0, y: 0, width: 10, height: 10 + common)
            let lower = FrameRect(x: 0, y: 10, width: 10, height: 10)
            #expect(upper.overlaps(lower) == overlaps)
            #expect(lower.overlaps(upper) == overlaps)
        }
    }

    @Test("of a region is as high as its lines, but at most a thousand of them")
    func regionHeight() throws {
        let frame = try #require(FrameSize(width: 1000, height: 500))
        for (lines, height) in [(3, 90), (1000, 30_000), (1001, 30_000)] as [(Double, Double)] {
            var region = CueRegion()
            region.lines = lines
            let rect = RegionLayout(frame: frame).rect(region)
            #expect(rect == FrameRect(x: 0, y: 500 - height, width: 1000, height: height))
        }
    }
}

@Suite("A line number")
struct LayoutLineNumberTests {
    @Test(
        "far beyond the picture means the last whole line on that side",
        arguments: [
            ("line:200", [470.0, 900, 530, 960]), ("line:1000000000", [470, 900, 530, 960]),
            ("line:-200", [470, 40, 530, 100]), ("line:-1000000000", [470, 40, 530, 100]),
            ("vertical:rl line:200", [40, 440, 100, 560]), ("vertical:rl line:-200", [900, 440, 960, 560]),
            ("vertical:lr line:200", [900, 440, 960, 560]), ("vertical:lr line:-200", [40, 440, 100, 560]),
        ])
    func beyond(settings: String, box: [Double]) throws {
        #expect(try Scene(body("ab", settings)).boxes == ["ab": box])
    }

    @Test("moves a cue of many lines until all of it is within the picture, if there is room for it")
    func tall() throws {
        func top(_ count: Int, _ settings: String) throws -> Double? {
            let text = Array(repeating: "x", count: count).joined(separator: "\n")
            return try Scene(body(text, settings)).layout.cues.first?.rect.y
        }
        #expect(try top(16, "line:0") == 0)
        #expect(try top(16, "line:-1") == 40)
        #expect(try top(17, "line:0") == nil)
        #expect(try top(17, "line:-1") == nil)
    }
}
