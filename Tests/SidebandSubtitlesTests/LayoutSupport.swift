import SidebandSubtitles
import Testing

/// A picture of 1000 × 1000 pixels with the cells of `CellMeasurer`: letters are 30 wide, lines 60 high.
struct Scene {
    var layout: FrameLayout

    /// What WebVTT texts show at a moment, each as a track of its own.
    init(_ bodies: String..., at seconds: Double = 1, width: Int = 1000, height: Int = 1000) throws {
        let tracks = try bodies.map { ShownTrack(try file("WEBVTT\n\n" + $0).track) }
        let size = try #require(FrameSize(width: width, height: height))
        let composer = FrameComposer(tracks, size: size, measuring: CellMeasurer())
        layout = composer.layout(at: CueTime(seconds: seconds))
    }

    /// For each cue its text with the left, top, right and bottom of what is drawn.
    var boxes: [String: [Double]] {
        var boxes: [String: [Double]] = [:]
        for cue in layout.allCues {
            guard let ink = cue.inkRect else { continue }
            boxes[cue.text] = [ink.x, ink.y, ink.right, ink.bottom].map { ($0 * 100).rounded() / 100 }
        }
        return boxes
    }

    /// The lines of all cues.
    var lines: [String] { layout.allCues.flatMap(\.lines).map(\.text) }
}

extension CueBox {
    /// The lines' texts, with `/` between them.
    var text: String { lines.map(\.text).joined(separator: "/") }
}

extension LineBox {
    /// The texts as they stand, without readings.
    var text: String { fragments.filter { !$0.isReading }.map(\.run.text).joined() }
}

/// The fragments of the only cue that a text shows.
func fragments(_ body: String, at seconds: Double = 1) throws -> [TextFragment] {
    try Scene(body, at: seconds).layout.allCues.flatMap(\.lines).flatMap(\.fragments)
}

/// A cue of ten seconds with a text and settings, and styles before it.
func body(_ text: String, _ settings: String = "", style: String? = nil) -> String {
    let block = style.map { "STYLE\n\($0)\n\n" } ?? ""
    return "\(block)00:00.000 --> 00:10.000 \(settings)\n\(text)\n\n"
}
