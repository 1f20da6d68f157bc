import Foundation
import SidebandSubtitles
import SubtitleRaster
import Testing

/// A scene that two browsers have drawn at 640 × 360, 0.3 s, with DejaVu Sans: the box of all they drew, as left, top, right
/// and bottom in percent of the picture.
struct BrowserScene: Decodable {
    var vtt: String
    var firefox: [Double]?
    var chromium: [Double]?

    static func all() throws -> [String: BrowserScene] {
        let url = Bundle.module.bundleURL.appendingPathComponent("Fixtures/scenes.json")
        return try JSONDecoder().decode([String: BrowserScene].self, from: try Data(contentsOf: url))
    }

    func track() throws -> ShownTrack {
        ShownTrack(try WebVTTFile(parsing: Array(vtt.utf8)).track)
    }
}

@Suite("Scenes that browsers have drawn")
struct SceneTests {
    /// Where both browsers leave the standard, what the standard says instead; `nil`: that edge depends on the font.
    private static let byTheStandard: [String: [Double?]] = [
        // text-wrap: balance
        "wrap-long": [nil, 87.8, nil, 100], "pos-30-center": [nil, 87.8, nil, 100],
        "size-30": [nil, 87.8, nil, 100],
        // Line alignment counts.
        "line-50pct-center": [nil, 47, nil, 53], "line-50pct-end": [nil, 43.9, nil, 50],
        // Of two places that are as near, the upper one.
        "collide-pct": [nil, 43.9, nil, 56.1],
        // A region's lines are 6vh high.
        "region-basic": [10, 72, 50, 90], "region-two-cues": [10, 72, 50, 90],
        "region-scroll": [10, 72, 50, 90],
        // vh is a part of the picture's height.
        "style-font-size": [nil, 88, nil, 100],
        // Chinese and Japanese letters are in another font, or in none.
        "ruby": [nil, nil, nil, 100], "vertical-rl": [0, nil, nil, nil], "vertical-lr": [nil, nil, 100, nil],
        // Chromium's font is narrower, and Firefox does not turn the text.
        "vertical-rl-line0": [96.9, nil, 100, nil], "vertical-rl-line-minus1": [0, nil, 3.2, nil],
        "vertical-rl-50pct": [50, nil, 53.3, nil],
    ]

    @Test("look the same here, to 1 % of the picture, if the browser follows the standard")
    func scenes() throws {
        let rasterizer = try SubtitleRasterizer()
        let size = try #require(FrameSize(width: 640, height: 360))
        for (name, scene) in try BrowserScene.all() {
            let layout = rasterizer.layout([try scene.track()], size: size, at: CueTime(seconds: 0.3))
            let box = layout.percentages
            let wanted = [SceneTests.byTheStandard[name], scene.firefox, scene.chromium]
            let candidates = SceneTests.byTheStandard[name] == nil ? wanted.dropFirst() : wanted.prefix(1)
            let isThere = candidates.contains { $0.map { agrees(box, $0) } ?? false }
            #expect(isThere, "\(name): \(box), not \(candidates)")
        }
    }

    private func agrees(_ box: [Double], _ wanted: [Double?]) -> Bool {
        zip(box, wanted).allSatisfy { abs($0 - ($1 ?? $0)) <= 1 }
    }
}

extension FrameLayout {
    /// The box around everything, in percent of the picture.
    fileprivate var percentages: [Double] {
        let rects = regions.map(\.rect) + cues.compactMap(\.inkRect)
        let (width, height) = (Double(size.width) / 100, Double(size.height) / 100)
        return [
            (rects.map(\.x).min() ?? 0) / width, (rects.map(\.y).min() ?? 0) / height,
            (rects.map(\.right).max() ?? 0) / width, (rects.map(\.bottom).max() ?? 0) / height,
        ]
    }
}
