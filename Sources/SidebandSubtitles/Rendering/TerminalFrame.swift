/// Shows subtitles in a terminal: the picture as rows of cells, text in its colors.
///
/// A terminal has letters of one size, so font sizes are ignored. Vertical text runs down, one character per row.
public struct TerminalFrame: Sendable {
    /// How many cells there are to a row, from 20 to 250.
    private let columns: Int
    /// How many rows there are, from 4 to 120.
    private let rows: Int
    private let usesColor: Bool

    /// The size of a cell in the layout's picture, in pixels.
    private static let cell = (width: 30, height: 60)

    /// A frame of a size.
    ///
    /// - Parameters:
    ///   - columns: its width in characters, from 20 to 250.
    ///   - rows: its height in lines, from 4 to 120.
    ///   - usesColor: whether colors are written (ECMA-48, SGR), or text alone.
    public init(columns: Int = 80, rows: Int = 17, usesColor: Bool = true) {
        self.columns = min(max(columns, 20), 250)
        self.rows = min(max(rows, 4), 120)
        self.usesColor = usesColor
    }

    /// The rows of visible text at a moment, each with its line end. Blank rows above the first text and below the
    /// last are left out.
    public func bytes(of tracks: [ShownTrack], at time: CueTime) -> [UInt8] {
        let cell = TerminalFrame.cell
        guard let size = FrameSize(width: columns * cell.width, height: rows * cell.height) else { return [] }
        let measurer = CellMeasurer(cellWidth: Double(cell.width), lineHeight: Double(cell.height))
        let layout = FrameComposer(tracks, size: size, measuring: measurer).layout(at: time)
        var grid = [[Cell]](repeating: [Cell](repeating: Cell(), count: columns), count: rows)
        for cue in layout.allCues {
            for line in cue.lines { put(line, cue, into: &grid) }
        }
        guard let first = grid.firstIndex(where: TerminalFrame.hasText),
            let last = grid.lastIndex(where: TerminalFrame.hasText)
        else { return [] }
        return grid[first...last].flatMap { text(of: $0) }
    }

    /// A character with its look. A wide one leaves the next cell empty.
    private struct Cell {
        var text: Character?
        var style: TextStyle?
        var background: CueColor?
        var isCovered = false
    }

    private static func hasText(_ row: [Cell]) -> Bool { row.contains { $0.text != nil } }

    private func put(_ line: LineBox, _ cue: CueBox, into grid: inout [[Cell]]) {
        let isVertical = cue.writingDirection != .horizontal
        for fragment in line.fragments where fragment.style.isVisible {
            var column = Int((fragment.rect.x / Double(TerminalFrame.cell.width)).rounded())
            var row = Int((fragment.rect.y / Double(TerminalFrame.cell.height)).rounded())
            for character in fragment.run.text {
                let width = CellMeasurer.cells(of: character)
                if grid.indices.contains(row), column >= 0, column + width <= columns {
                    put(character, fragment.style, cue: cue, at: column, row: &grid[row])
                }
                if isVertical && !fragment.isCombined { row += 1 } else { column += width }
            }
        }
    }

    private func put(
        _ character: Character, _ style: TextStyle, cue: CueBox, at column: Int, row: inout [Cell]
    ) {
        let background = style.backgrounds.last ?? cue.style.background
        row[column] = Cell(text: character, style: style, background: background)
        if CellMeasurer.cells(of: character) == 2 { row[column + 1] = Cell(isCovered: true) }
    }

    private func text(of row: [Cell]) -> [UInt8] {
        let end = row.lastIndex { $0.text != nil }.map { $0 + 1 } ?? 0
        var text = ""
        var current = ""
        for cell in row[..<end] where !cell.isCovered {
            let attributes = usesColor ? cell.style.map { self.attributes($0, cell.background) } ?? "" : ""
            if attributes != current {
                text += "\u{1B}[0\(attributes)m"
                current = attributes
            }
            text.append(cell.text ?? " ")
        }
        return Array((text + (current.isEmpty ? "\n" : "\u{1B}[0m\n")).utf8)
    }

    private func attributes(_ style: TextStyle, _ background: CueColor?) -> String {
        var codes = ""
        if style.weight >= 600 { codes += ";1" }
        if style.isItalic { codes += ";3" }
        if style.decorations.contains(where: { $0.line == .underline }) { codes += ";4" }
        if style.decorations.contains(where: { $0.line == .lineThrough }) { codes += ";9" }
        codes += ";38;2;\(style.color.red);\(style.color.green);\(style.color.blue)"
        if let background, background.alpha > 0.3 {
            codes += ";48;2;\(background.red);\(background.green);\(background.blue)"
        }
        return codes
    }
}
