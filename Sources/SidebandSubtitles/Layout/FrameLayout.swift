/// The subtitles in a picture: boxes of text, in pixels.
public struct FrameLayout: Sendable, Hashable {
    /// The picture's size.
    public var size: FrameSize
    /// The regions with cues in them, in the order in which they are painted.
    public var regions: [RegionBox]
    /// The cues outside of regions, in the order in which they are painted.
    public var cues: [CueBox]
    /// The first moment at which the picture is valid.
    public var validFrom: CueTime
    /// The moment of the next change; `nil` without one.
    public var validUntil: CueTime?

    /// Whether nothing is visible.
    public var isEmpty: Bool { regions.isEmpty && cues.isEmpty }

    /// Every cue, in the order in which they are painted.
    public var allCues: [CueBox] { regions.flatMap(\.cues) + cues }
}

/// A region with the cues that are shown in it.
public struct RegionBox: Sendable, Hashable {
    /// The region's name.
    public var identifier: String
    /// The rectangle of the region; lines outside of it are not shown.
    public var rect: FrameRect
    /// The colors and sizes of the region's box.
    public var style: BoxStyle
    /// Its cues, from top to bottom.
    public var cues: [CueBox]
}

/// A visible cue.
public struct CueBox: Sendable, Hashable {
    /// The cue's identifier; may be empty.
    public var identifier: String
    /// The number of its track among those shown, counted from 0.
    public var track: Int
    /// The time at which the cue appears.
    public var start: CueTime
    /// The time at which the cue disappears.
    public var end: CueTime
    /// The direction in which its lines run.
    public var writingDirection: CueSettings.WritingDirection
    /// The box of its lines. Two cues do not overlap here if there is room.
    public var rect: FrameRect
    /// The look of its background box.
    public var style: BoxStyle
    /// Its lines, the first one first.
    public var lines: [LineBox]

    /// The smallest rectangle around its drawing.
    public var inkRect: FrameRect? {
        let rects = lines.flatMap { line in
            [line.background].compactMap { $0 } + line.fragments.filter(\.isReading).map(\.rect)
        }
        guard let first = rects.first else { return nil }
        return rects.reduce(first) { $0.union($1) }
    }
}

/// A line of text.
public struct LineBox: Sendable, Hashable {
    /// The line, as wide as its text and as high as lines are apart.
    public var rect: FrameRect
    /// The cue's background behind this line; `nil` for a line without text.
    public var background: FrameRect?
    /// Its texts, from left to right, or from top to bottom in vertical text.
    public var fragments: [TextFragment]
}

/// A stretch of text of one style within a line.
public struct TextFragment: Sendable, Hashable {
    /// The text, its font and direction.
    public var run: TextRun
    /// The room it takes: its width, and the height of its font.
    public var rect: FrameRect
    /// How far below the top the baseline is, in pixels; in vertical text, how far left of the right side.
    public var ascent: Double
    /// The look of its text.
    public var style: TextStyle
    /// Whether it is the reading of a ruby.
    public var isReading = false
    /// Whether it stands upright in the width of a vertical line.
    public var isCombined = false
}

extension FrameRect {
    func union(_ other: FrameRect) -> FrameRect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return FrameRect(
            x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
    }
}
