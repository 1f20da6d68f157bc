/// Breaks a paragraph into lines, of about the same length (CSS Text 4 §5.4, `text-wrap: balance`).
struct LineBreaker {
    /// More lines than this are not balanced.
    private static let maximumBalanced = 10

    /// A stretch within which no line ends.
    private struct Piece {
        var range: Range<Int>
        var width: Double
        /// The width without the blanks at its end.
        var trimmedWidth: Double
    }

    private let text: ParagraphText
    private let limit: Double
    private var pieces: [Piece] = []
    private var hasBrokenWord = false

    /// The lines of a paragraph as stretches of scalars. An empty paragraph has one empty line.
    static func lines(_ text: ParagraphText, width: Double) -> [Range<Int>] {
        if text.paragraph.scalars.isEmpty { return [0..<0] }
        var breaker = LineBreaker(text, width)
        breaker.measure()
        return breaker.balanced()
    }

    private init(_ text: ParagraphText, _ limit: Double) {
        self.text = text
        // A width that is exactly the sum of others must fit itself, despite rounding.
        self.limit = limit + 0.01
    }

    private mutating func measure() {
        let breaks = text.analysis.mayBreakBefore
        var start = 0
        for index in breaks.indices.dropFirst() where breaks[index] {
            add(start..<index)
            start = index
        }
        add(start..<breaks.count)
    }

    private mutating func add(_ range: Range<Int>) {
        let piece = piece(range)
        let wraps = text.looks[text.paragraph.looks[range.lowerBound]].style.whiteSpace.wraps
        guard piece.trimmedWidth > limit, wraps else { return pieces.append(piece) }
        // overflow-wrap: break-word
        hasBrokenWord = true
        var start = range.lowerBound
        for index in range.dropFirst() where canBreakWord(at: index) {
            pieces.append(self.piece(start..<index))
            start = index
        }
        pieces.append(self.piece(start..<range.upperBound))
    }

    private func canBreakWord(at index: Int) -> Bool {
        text.analysis.startsCharacter[index]
            && !text.paragraph.readings.contains { $0.base.lowerBound < index && index < $0.base.upperBound }
    }

    private func piece(_ range: Range<Int>) -> Piece {
        let trimmed = text.trimmed(range)
        let width = text.width(trimmed)
        let blanks = range.count == trimmed.count ? 0 : text.width(trimmed.upperBound..<range.upperBound)
        return Piece(range: range, width: width + blanks, trimmedWidth: width)
    }

    /// The smallest number of lines, with the longest line as short as possible.
    private func balanced() -> [Range<Int>] {
        let lines = fill(limit)
        guard lines.count > 1, lines.count <= LineBreaker.maximumBalanced, !hasBrokenWord else {
            return lines
        }
        var (low, high) = (pieces.map(\.trimmedWidth).max() ?? 0, limit)
        var best = lines
        while high - low > 0.5 {
            let middle = (low + high) / 2
            let tried = fill(middle)
            if tried.count <= lines.count { (best, high) = (tried, middle) } else { low = middle }
        }
        return best
    }

    private func fill(_ limit: Double) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var (start, used) = (0, 0.0)
        for (index, piece) in pieces.enumerated() {
            if index > start, used + piece.trimmedWidth > limit {
                lines.append(pieces[start].range.lowerBound..<piece.range.lowerBound)
                (start, used) = (index, 0)
            }
            used += piece.width
        }
        lines.append(pieces[start].range.lowerBound..<text.paragraph.scalars.count)
        return lines
    }
}
