/// A cue's text in lines of a width, before the cue has a place: coordinates run along the line and across the lines.
struct FlowedCue {
    /// A line.
    struct Line {
        /// Its start along the line; its length follows.
        var offset = 0.0
        var width = 0.0
        /// How far from the first line's beginning, and how high it is.
        var top = 0.0
        var height: Double
        /// The cue's background: how far below the line's top, and how high.
        var backgroundTop: Double
        var backgroundHeight: Double
        var fragments: [TextFragment]
    }

    private(set) var lines: [Line] = []
    /// The length that lines may have.
    let width: Double
    /// How high all lines together are.
    private(set) var height = 0.0

    /// - Parameters:
    ///   - width: the length that lines may have, in pixels.
    ///   - alignment: how they stand within it.
    init(
        _ content: InlineContent, root: InlineContent.Look, width: Double, isVertical: Bool,
        alignment: CueSettings.TextAlignment, measuring: any TextMeasuring
    ) {
        self.width = width
        if content.isEmpty { return }
        let strut = measuring.measure(TextRun(text: " ", font: FontRequest(root.style)))
        for paragraph in content.paragraphs {
            let text = ParagraphText(paragraph, content.looks, isVertical: isVertical, measuring: measuring)
            for range in LineBreaker.lines(text, width: width) {
                var builder = LineBuilder(text, strut: strut, root: root.style)
                var line = builder.line(text.trimmed(range))
                line.offset = FlowedCue.offset(
                    alignment, width - line.width, isRightToLeft: text.isRightToLeft)
                line.top = height
                height += line.height
                lines.append(line)
            }
        }
    }

    /// The start of a line. A line that is too long overflows at its end.
    private static func offset(
        _ alignment: CueSettings.TextAlignment, _ room: Double, isRightToLeft: Bool
    ) -> Double {
        switch alignment {
        case .center: max(0, room / 2).rounded()
        case .left: 0
        case .right: max(0, room)
        case .start: isRightToLeft ? room : 0
        case .end: isRightToLeft ? 0 : max(0, room)
        }
    }
}
