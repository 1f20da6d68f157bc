/// Measures text as a terminal shows it: every character takes one or two cells of one size, whatever its font. In vertical
/// lines it takes a row.
public struct CellMeasurer: TextMeasuring, Sendable {
    private let cellWidth: Double
    private let lineHeight: Double

    /// A measurer of cells of a size in pixels.
    public init(cellWidth: Double = 30, lineHeight: Double = 60) {
        self.cellWidth = cellWidth
        self.lineHeight = lineHeight
    }

    /// The cells' extent, in pixels.
    public func measure(_ run: TextRun) -> TextExtent {
        let cells = run.text.reduce(0) { $0 + CellMeasurer.cells(of: $1) }
        let width = run.isVertical ? Double(run.text.count) * lineHeight : Double(cells) * cellWidth
        return TextExtent(width: width, ascent: lineHeight * 0.8, descent: lineHeight * 0.2)
    }

    /// Breaks after blanks and hyphens and around wide characters; terminals order right-to-left text themselves.
    public func analyze(_ paragraph: String, isRightToLeft: Bool) -> TextAnalysis {
        var analysis = TextAnalysis(mayBreakBefore: [], startsCharacter: [], levels: [])
        var previous: Unicode.Scalar = " "
        var isFirst = true
        for character in paragraph {
            var startsCharacter = true
            for scalar in character.unicodeScalars {
                let mayBreak = startsCharacter && !isFirst && CellMeasurer.mayBreak(previous, scalar)
                analysis.mayBreakBefore.append(mayBreak)
                analysis.startsCharacter.append(startsCharacter)
                analysis.levels.append(isRightToLeft ? 1 : 0)
                // A mark is as wide as the character that it belongs to.
                if startsCharacter { previous = scalar }
                (startsCharacter, isFirst) = (false, false)
            }
        }
        return analysis
    }

    private static func mayBreak(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        if second == " " { return false }
        return first == " " || first == "-" || isWide(first) || isWide(second)
    }

    /// How many cells a character takes.
    static func cells(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    /// East Asian wide and full-width characters, and emoji (Unicode Standard Annex 11).
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
