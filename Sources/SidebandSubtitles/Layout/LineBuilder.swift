/// Makes one line: puts its parts in visual order, and computes its height.
struct LineBuilder {
    private let text: ParagraphText
    private let strut: TextExtent
    private var ascent: Double
    private var descent: Double
    private var position = 0.0
    private var fragments: [TextFragment] = []

    init(_ text: ParagraphText, strut: TextExtent, root: TextStyle) {
        self.text = text
        self.strut = strut
        (ascent, descent) = LineBuilder.leaded(strut, root)
    }

    /// The line with a stretch of the paragraph; fragments are relative to the baseline until the end.
    mutating func line(_ range: Range<Int>) -> FlowedCue.Line {
        let units = text.units(range)
        for unit in BidirectionalOrder.visual(units, level: { text.analysis.levels[$0.range.lowerBound] }) {
            place(unit)
        }
        var line = FlowedCue.Line(
            height: ascent + descent, backgroundTop: ascent - strut.ascent,
            backgroundHeight: strut.ascent + strut.descent, fragments: fragments)
        line.width = position
        for index in line.fragments.indices { line.fragments[index].rect.y += ascent }
        return line
    }

    /// Above and below the baseline, with half of the leading each (CSS 2.2 §10.8.1).
    private static func leaded(_ extent: TextExtent, _ style: TextStyle) -> (Double, Double) {
        let wanted =
            switch style.lineHeight {
            case .normal: extent.ascent + extent.descent
            case .factor(let factor): style.fontSize * factor
            case .pixels(let pixels): pixels
            }
        let above = ((wanted - extent.ascent - extent.descent) / 2).rounded(.down)
        return (extent.ascent + above, wanted - extent.ascent - above)
    }

    private mutating func place(_ unit: ParagraphText.Unit) {
        let parts = BidirectionalOrder.visual(text.parts(unit)) { text.analysis.levels[$0.lowerBound] }
        let extents = parts.map(text.extent)
        let width = extents.reduce(0) { $0 + $1.width }
        let reading = unit.reading.map { ($0, text.measuring.measure(text.run($0))) }
        let start = position
        position += max(0, ((reading?.1.width ?? 0) - width) / 2)
        for (part, extent) in zip(parts, extents) { place(part, extent) }
        guard let reading else { return }
        let total = max(width, reading.1.width)
        place(reading.0, reading.1, over: extents, at: start + (total - reading.1.width) / 2)
        position = start + total
    }

    private mutating func place(_ part: Range<Int>, _ extent: TextExtent) {
        let style = text.looks[text.paragraph.looks[part.lowerBound]].style
        var fragment = TextFragment(
            run: text.run(part),
            rect: FrameRect(
                x: position, y: -extent.ascent, width: extent.width, height: extent.ascent + extent.descent),
            ascent: extent.ascent, style: style)
        fragment.isCombined = text.isCombined(part.lowerBound)
        fragments.append(fragment)
        position += extent.width
        let (above, below) = LineBuilder.leaded(extent, style)
        (ascent, descent) = (max(ascent, above), max(descent, below))
    }

    private mutating func place(
        _ reading: InlineContent.Reading, _ extent: TextExtent, over base: [TextExtent], at offset: Double
    ) {
        let style = text.looks[reading.look].style
        let height = extent.ascent + extent.descent
        let above = base.map(\.ascent).max() ?? 0
        let below = base.map(\.descent).max() ?? 0
        let top = style.rubyIsUnder ? below : -above - height
        fragments.append(
            TextFragment(
                run: text.run(reading),
                rect: FrameRect(x: offset, y: top, width: extent.width, height: height),
                ascent: extent.ascent, style: style, isReading: true))
        if style.rubyIsUnder {
            descent = max(descent, below + height)
        } else {
            ascent = max(ascent, above + height)
        }
    }
}

/// The visual order of parts with different directions (Unicode Standard Annex 9, L2).
enum BidirectionalOrder {
    static func visual<Part>(_ parts: [Part], level: (Part) -> UInt8) -> [Part] {
        var parts = parts
        let levels = parts.map(level)
        guard let highest = levels.max(), highest > 0 else { return parts }
        var current = levels
        for threshold in (1...highest).reversed() {
            var start = 0
            while start < parts.count {
                var end = start
                while end < parts.count, current[end] >= threshold { end += 1 }
                if end > start {
                    parts[start..<end].reverse()
                    current[start..<end].reverse()
                }
                start = max(end, start + 1)
            }
        }
        return parts
    }
}
