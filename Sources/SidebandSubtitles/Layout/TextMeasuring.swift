/// A font, as a style asks for it.
public struct FontRequest: Sendable, Hashable {
    /// Names of families, the preferred one first.
    public var families: [String]
    /// The size in pixels.
    public var size: Double
    /// From 1 to 1000.
    public var weight: Int
    /// Whether the font is italic.
    public var isItalic: Bool

    init(_ style: TextStyle) {
        families = style.fontFamilies
        size = style.fontSize
        weight = style.weight
        isItalic = style.isItalic
    }
}

/// A stretch of text in one font that runs in one direction.
public struct TextRun: Sendable, Hashable {
    /// The text.
    public var text: String
    /// Its font.
    public var font: FontRequest
    /// Whether it is written from right to left.
    public var isRightToLeft = false
    /// Whether it is in vertical lines.
    public var isVertical = false
    /// Its language as a BCP-47 tag; empty when unknown.
    public var language = ""
}

/// The room that text takes, in pixels.
public struct TextExtent: Sendable, Hashable {
    /// Along the line.
    public var width: Double
    /// Above the baseline.
    public var ascent: Double
    /// Below the baseline.
    public var descent: Double

    /// An extent.
    public init(width: Double, ascent: Double, descent: Double) {
        self.width = width
        self.ascent = ascent
        self.descent = descent
    }
}

/// The facts of a paragraph that are known before its lines are made. Every list has one entry for each Unicode
/// scalar.
public struct TextAnalysis: Sendable, Hashable {
    /// Whether a line may break before the scalar (Unicode Standard Annex 14).
    public var mayBreakBefore: [Bool]
    /// Whether a grapheme cluster begins at the scalar (Unicode Standard Annex 29).
    public var startsCharacter: [Bool]
    /// The embedding level; odd ones run from right to left (Unicode Standard Annex 9).
    public var levels: [UInt8]

    /// An analysis; the three lists have the same length.
    public init(mayBreakBefore: [Bool], startsCharacter: [Bool], levels: [UInt8]) {
        self.mayBreakBefore = mayBreakBefore
        self.startsCharacter = startsCharacter
        self.levels = levels
    }
}

/// The facts of fonts and scripts that layout needs. The same question must always have the same answer.
public protocol TextMeasuring {
    /// The room that a stretch of text takes.
    func measure(_ run: TextRun) -> TextExtent
    /// Finds where the lines of a paragraph may break, and the direction of its text.
    ///
    /// - Parameters:
    ///   - paragraph: its text.
    ///   - isRightToLeft: the paragraph's base direction.
    func analyze(_ paragraph: String, isRightToLeft: Bool) -> TextAnalysis
}
