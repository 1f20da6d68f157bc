/// Keeps cues that name a line from covering each other: a later one moves on, away from the edge it counts from
/// (WebVTT §7.2, "adjust the positions of boxes", for lines as the text has them).
struct ASSRows {
    private struct Taken {
        var end: CueTime
        /// From the upper edge, or from the lower one.
        var isUpper: Bool
        var rows: Range<Int>
    }

    /// How many cues at one time are kept apart.
    private static let limit = 50

    private var taken: [Taken] = []

    /// Finds a free line for a cue. Cues must come by time.
    mutating func settle(_ settings: inout CueSettings, of cue: Cue, lines: Int) {
        guard settings.snapsToLines, settings.writingDirection == .horizontal, let line = settings.line,
            abs(line) < 1000
        else { return }
        taken.removeAll { $0.end <= cue.start }
        let number = Int((line + 0.5).rounded(.down))
        let isUpper = number >= 0
        var first = isUpper ? number : -number - 1
        while let other = taken.first(where: {
            $0.isUpper == isUpper && $0.rows.overlaps(first..<first + lines)
        }) {
            first = other.rows.upperBound
        }
        if taken.count < ASSRows.limit {
            taken.append(Taken(end: cue.end, isUpper: isUpper, rows: first..<first + lines))
        }
        settings.line = Double(isUpper ? first : -first - 1)
    }
}

extension CueText {
    /// How many lines the text has before any is broken, from 1 to 100.
    var lineCount: Int {
        let breaks = nodes.reduce(0) { count, node in
            guard case .text(let text) = node.content else { return count }
            return count + text.utf8.count { $0 == .lineFeed }
        }
        return min(breaks + 1, 100)
    }
}
