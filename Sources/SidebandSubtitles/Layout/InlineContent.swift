/// A cue's text prepared for line breaking: paragraphs of characters with their styles, and white space processed as
/// in CSS.
struct InlineContent {
    /// The largest number of scalars of a cue; the rest is left out.
    static let maximumLength = 10_000

    /// A style with the language of its text.
    struct Look: Hashable {
        var style: TextStyle
        var language: String
    }

    /// A reading above a stretch of base text.
    struct Reading: Hashable {
        var base: Range<Int>
        var text: String
        var look: Int
    }

    /// Text between forced line ends.
    struct Paragraph {
        var scalars: [Unicode.Scalar] = []
        /// For each scalar, its look.
        var looks: [Int] = []
        var readings: [Reading] = []

        func text(_ range: Range<Int>) -> String {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[range])
            return String(text)
        }
    }

    private(set) var looks: [Look] = []
    private(set) var paragraphs: [Paragraph] = [Paragraph()]
    private var length = 0
    private var lookNumbers: [Look: Int] = [:]

    /// Whether there is no text, so that there are no lines.
    var isEmpty: Bool { paragraphs.allSatisfy(\.scalars.isEmpty) }

    /// - Parameter language: that of text in no element.
    init(_ content: CueText, _ styled: CueStyler.StyledCue, language: String) {
        var open: [(end: Int, look: Look)] = [
            (content.nodes.count, Look(style: styled.root, language: language))
        ]
        var rubies = RubyCollector()
        var index = 0
        while index < content.nodes.count, length < InlineContent.maximumLength {
            while let top = open.last, index >= top.end { open.removeLast() }
            rubies.close(before: index)
            let look = open.last?.look ?? Look(style: styled.root, language: language)
            switch content.nodes[index].content {
            case .text(let text): append(text, look)
            case .timestamp: break
            case .element(let element):
                let own = Look(
                    style: styled.styles[index] ?? look.style,
                    language: styled.languages[index] ?? look.language)
                if element.tag == .rubyText {
                    addReading(content.text(within: index), own, start: rubies.baseStart)
                    rubies.restart(at: place)
                    index = content.nodes[index].end - 1
                } else {
                    open.append((content.nodes[index].end, own))
                    if element.tag == .ruby { rubies.open(content.nodes[index].end, at: place) }
                }
            }
            index += 1
        }
        trimEnds()
    }

    /// The place of the next scalar.
    private var place: (paragraph: Int, scalar: Int) {
        (paragraphs.count - 1, paragraphs[paragraphs.count - 1].scalars.count)
    }

    private mutating func number(_ look: Look) -> Int {
        if let number = lookNumbers[look] { return number }
        looks.append(look)
        lookNumbers[look] = looks.count - 1
        return looks.count - 1
    }

    /// Appends text by the rules of its `white-space` (CSS Text 3 §4.1.1).
    private mutating func append(_ text: String, _ look: Look) {
        let number = number(look)
        let space = look.style.whiteSpace
        for scalar in text.unicodeScalars where length < InlineContent.maximumLength {
            switch scalar {
            case "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}":
                if space.keepsLineEnds || scalar != "\n" {
                    endParagraph(space)
                } else {
                    append(" ", number, space: space)
                }
            case " ", "\t": append(" ", number, space: space)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: append(scalar, number)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ look: Int) {
        length += 1
        paragraphs[paragraphs.count - 1].scalars.append(scalar)
        paragraphs[paragraphs.count - 1].looks.append(look)
    }

    private mutating func append(_ blank: Unicode.Scalar, _ look: Int, space: TextStyle.WhiteSpace) {
        if !space.keepsSpaces {
            guard let last = paragraphs.last?.scalars.last, last != " " else { return }
        }
        append(blank, look)
    }

    private mutating func endParagraph(_ space: TextStyle.WhiteSpace) {
        if !space.keepsSpaces { trimEnd() }
        length += 1
        paragraphs.append(Paragraph())
    }

    private mutating func trimEnd() {
        while paragraphs[paragraphs.count - 1].scalars.last == " " {
            paragraphs[paragraphs.count - 1].scalars.removeLast()
            paragraphs[paragraphs.count - 1].looks.removeLast()
        }
    }

    /// A line end at the very end makes no further line.
    private mutating func trimEnds() {
        if let look = paragraphs.last?.looks.last, !looks[look].style.whiteSpace.keepsSpaces { trimEnd() }
        if paragraphs.count > 1, paragraphs[paragraphs.count - 1].scalars.isEmpty { paragraphs.removeLast() }
        for index in paragraphs.indices {
            let count = paragraphs[index].scalars.count
            for reading in paragraphs[index].readings.indices {
                let base = paragraphs[index].readings[reading].base
                paragraphs[index].readings[reading].base =
                    min(base.lowerBound, count)..<min(base.upperBound, count)
            }
            paragraphs[index].readings.removeAll { $0.base.isEmpty }
        }
    }

    /// Puts a reading above the text since a place. A reading without base text is not shown.
    private mutating func addReading(_ text: String, _ look: Look, start: (paragraph: Int, scalar: Int)?) {
        guard let start, !text.isEmpty else { return }
        let first = start.paragraph == place.paragraph ? start.scalar : 0
        let isNested = paragraphs[place.paragraph].readings.contains { $0.base.upperBound > first }
        guard first < place.scalar, !isNested else { return }
        let text = String(text.prefix(200))
        let reading = Reading(base: first..<place.scalar, text: text, look: number(look))
        paragraphs[paragraphs.count - 1].readings.append(reading)
    }
}

/// Follows which ruby is open and where its next base text begins.
private struct RubyCollector {
    private var open: [(end: Int, start: (paragraph: Int, scalar: Int))] = []

    var baseStart: (paragraph: Int, scalar: Int)? { open.last?.start }

    mutating func open(_ end: Int, at place: (paragraph: Int, scalar: Int)) { open.append((end, place)) }

    mutating func close(before index: Int) {
        while let last = open.last, index >= last.end { open.removeLast() }
    }

    mutating func restart(at place: (paragraph: Int, scalar: Int)) {
        if !open.isEmpty { open[open.count - 1].start = place }
    }
}

extension CueText {
    /// The text within an element, white space collapsed.
    fileprivate func text(within index: Int) -> String {
        var text = ""
        for node in nodes[(index + 1)..<nodes[index].end] {
            if case .text(let value) = node.content { text += value }
        }
        return text.split { $0 == " " || $0 == "\n" || $0 == "\t" }.joined(separator: " ")
    }
}
