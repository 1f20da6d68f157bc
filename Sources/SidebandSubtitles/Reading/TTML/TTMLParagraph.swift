internal import ASCII

/// The time for which an element is shown, in seconds (TTML2 §12.2).
struct TTMLSpan: Equatable {
    var start = 0.0
    /// The end; infinity without one.
    var end = Double.infinity

    /// - Parameters:
    ///   - parent: the time of the element around it, to which its own times are relative.
    ///   - before: in a sequence, the end of the element before it.
    init(_ attributes: [String: String], in parent: TTMLSpan?, after before: Double?, _ clock: TTMLClock) {
        let origin = before ?? parent?.start ?? 0
        let limit = parent?.end ?? .infinity
        start = min(origin + (attributes["begin"].flatMap(clock.seconds) ?? 0), limit)
        end = limit
        if let time = attributes["end"].flatMap(clock.seconds) { end = min(end, origin + time) }
        if let length = attributes["dur"].flatMap(clock.seconds) { end = min(end, start + length) }
        end = max(start, end)
    }
}

/// The text of a paragraph, with the time of each part.
struct TTMLParagraph {
    private struct Part {
        var span: TTMLSpan
        /// With its markup.
        var text: String
        /// Whether it has more than blanks and markup.
        var hasText = false
    }

    /// How many parts with their own times, or texts of their own, are kept of a paragraph.
    private static let limit = 1000

    private let span: TTMLSpan
    private var parts: [Part] = []
    /// Whether a blank at this position would follow another one or begin a line.
    private var isAfterSpace = true

    init(_ span: TTMLSpan) { self.span = span }

    mutating func add(_ text: String, _ style: TTMLStyle, span: TTMLSpan, keepsSpace: Bool) {
        let shown = keepsSpace ? text : collapsed(text)
        guard !shown.isEmpty else { return }
        let hasText = shown.utf8.contains { !$0.isWhitespace }
        append(Part(span: span, text: style.markup(shown), hasText: hasText))
    }

    mutating func breakLine(_ span: TTMLSpan) {
        addMarkup("\n", span)
        isAfterSpace = true
    }

    mutating func addMarkup(_ text: String, _ span: TTMLSpan) {
        append(Part(span: span, text: text))
    }

    private mutating func append(_ part: Part) {
        if let last = parts.indices.last, parts[last].span == part.span {
            parts[last].text += part.text
            if part.hasText { parts[last].hasText = true }
        } else if parts.count < TTMLParagraph.limit {
            parts.append(part)
        }
    }

    private mutating func collapsed(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isSpace = scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r"
            if isSpace && isAfterSpace { continue }
            result.unicodeScalars.append(isSpace ? " " : scalar)
            isAfterSpace = isSpace
        }
        return result
    }

    /// A cue for each time in which the same parts are visible; endless if they have no end (TTML2 §12).
    func cues(_ settings: CueSettings) -> [Cue] {
        let ends = parts.flatMap { [$0.span.start, $0.span.end] } + [span.start, span.end]
        let times = Set(ends).sorted()
        return zip(times, times.dropFirst()).compactMap { start, end in
            let shown = parts.filter { $0.span.start <= start && $0.span.end >= end }
            guard shown.contains(where: \.hasText) else { return nil }
            let text = TTMLParagraph.trimmed(shown.map(\.text).joined())
            return Cue(
                start: CueTime(seconds: start), end: CueTime(seconds: end), settings: settings, text: text)
        }
    }

    /// The lines without blanks at their ends, and without blank lines.
    private static func trimmed(_ text: String) -> String {
        text.linesWithText.map { String(decoding: Array($0.utf8)[...].trimmed, as: UTF8.self) }
            .joined(separator: "\n")
    }
}
