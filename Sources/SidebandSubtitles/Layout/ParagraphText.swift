/// A paragraph with facts about its characters, so that any stretch of it can be measured.
struct ParagraphText {
    let paragraph: InlineContent.Paragraph
    let looks: [InlineContent.Look]
    let isVertical: Bool
    let isRightToLeft: Bool
    let measuring: any TextMeasuring
    private(set) var analysis: TextAnalysis

    /// A stretch that is placed as a whole: of one style and direction, or a ruby base with its reading.
    struct Unit {
        var range: Range<Int>
        var reading: InlineContent.Reading?
    }

    init(
        _ paragraph: InlineContent.Paragraph, _ looks: [InlineContent.Look], isVertical: Bool,
        measuring: any TextMeasuring
    ) {
        self.paragraph = paragraph
        self.looks = looks
        self.isVertical = isVertical
        self.measuring = measuring
        isRightToLeft = BaseDirection.isRightToLeft(paragraph.scalars)
        let text = paragraph.text(paragraph.scalars.indices)
        analysis = measuring.analyze(text, isRightToLeft: isRightToLeft)
        forbidBreaks()
    }

    /// Forbids line breaks within a reading's base, in text that is not wrapped, and within upright digits.
    private mutating func forbidBreaks() {
        for reading in paragraph.readings {
            for index in reading.base.dropFirst() { analysis.mayBreakBefore[index] = false }
        }
        for index in analysis.mayBreakBefore.indices where analysis.mayBreakBefore[index] {
            let style = looks[paragraph.looks[index]].style
            let isCombined =
                index > 0 && isCombined(index) && paragraph.looks[index] == paragraph.looks[index - 1]
            if !style.whiteSpace.wraps || isCombined { analysis.mayBreakBefore[index] = false }
        }
    }

    func isCombined(_ index: Int) -> Bool {
        isVertical && looks[paragraph.looks[index]].style.combinesUpright
    }

    /// The range of a line without the blanks at its end. Blanks stay where the style gives them room (CSS Text 3, section
    /// 4.1.2).
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, paragraph.scalars[end - 1] == " ",
            !looks[paragraph.looks[end - 1]].style.whiteSpace.keepsEnd
        {
            end -= 1
        }
        return range.lowerBound..<end
    }

    /// The run of a stretch of one look.
    func run(_ range: Range<Int>) -> TextRun {
        let look = looks[paragraph.looks[range.lowerBound]]
        return TextRun(
            text: paragraph.text(range), font: FontRequest(look.style),
            isRightToLeft: analysis.levels[range.lowerBound] & 1 == 1,
            isVertical: isVertical && !isCombined(range.lowerBound), language: look.language)
    }

    /// The run of a reading.
    func run(_ reading: InlineContent.Reading) -> TextRun {
        TextRun(
            text: reading.text, font: FontRequest(looks[reading.look].style), isVertical: isVertical,
            language: looks[reading.look].language)
    }

    /// The units of a stretch, in the order of the text.
    func units(_ range: Range<Int>) -> [Unit] {
        var units: [Unit] = []
        var start = range.lowerBound
        while start < range.upperBound {
            if let reading = paragraph.readings.first(where: { $0.base.lowerBound == start }) {
                units.append(
                    Unit(range: start..<min(reading.base.upperBound, range.upperBound), reading: reading))
            } else {
                let next = paragraph.readings.first { $0.base.lowerBound > start }?.base.lowerBound
                units.append(Unit(range: sameLook(start..<min(next ?? range.upperBound, range.upperBound))))
            }
            start = units[units.count - 1].range.upperBound
        }
        return units
    }

    /// The first part of a stretch that has one look and one direction.
    private func sameLook(_ range: Range<Int>) -> Range<Int> {
        let first = range.lowerBound
        let end = range.first {
            paragraph.looks[$0] != paragraph.looks[first] || analysis.levels[$0] != analysis.levels[first]
        }
        return first..<(end ?? range.upperBound)
    }

    /// The parts of a unit that have one look and one direction.
    func parts(_ unit: Unit) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = unit.range.lowerBound
        while start < unit.range.upperBound {
            parts.append(sameLook(start..<unit.range.upperBound))
            start = parts[parts.count - 1].upperBound
        }
        return parts
    }

    /// The width of a stretch, readings that are wider than their base included.
    func width(_ range: Range<Int>) -> Double {
        units(range).reduce(0) { sum, unit in
            let base = parts(unit).reduce(0) { $0 + extent($1).width }
            let reading = unit.reading.map { measuring.measure(run($0)).width } ?? 0
            return sum + max(base, reading)
        }
    }

    /// The room of a part.
    func extent(_ part: Range<Int>) -> TextExtent {
        let extent = measuring.measure(run(part))
        guard isCombined(part.lowerBound) else { return extent }
        return TextExtent(
            width: extent.ascent + extent.descent, ascent: extent.ascent, descent: extent.descent)
    }
}
