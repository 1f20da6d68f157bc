/// The place of a cue, and how it is shown (WebVTT §3.2, §6.3).
public struct CueSettings: Sendable, Hashable {
    /// The direction in which the lines of a cue run.
    public enum WritingDirection: String, Sendable, Hashable {
        /// Lines are horizontal, one below the other.
        case horizontal = ""
        /// Lines run down, the first at the right.
        case growingLeft = "rl"
        /// Lines run down, the first at the left.
        case growingRight = "lr"
    }

    /// The edge of the cue box to which `line` applies.
    public enum LineAlignment: String, Sendable, Hashable {
        /// The top, or the first edge of vertical text.
        case start
        /// The middle.
        case center
        /// The bottom, or the second edge of vertical text.
        case end
    }

    /// The edge of the cue box to which `position` applies.
    public enum PositionAlignment: String, Sendable, Hashable {
        /// The alignment that `textAlignment` suggests.
        case auto
        /// The left edge, or the top of vertical text.
        case lineLeft = "line-left"
        /// The middle.
        case center
        /// The right edge, or the bottom of vertical text.
        case lineRight = "line-right"
    }

    /// How the lines stand within the cue box.
    public enum TextAlignment: String, Sendable, Hashable {
        /// Towards the side where each line's text begins.
        case start
        /// In the middle.
        case center
        /// Towards the side where each line's text ends.
        case end
        /// To the left, or top of vertical text.
        case left
        /// To the right, or bottom of vertical text.
        case right
    }

    /// The direction of the lines.
    public var writingDirection = WritingDirection.horizontal
    /// A line number, negative from the end, or a percentage from 0 to 100 when `snapsToLines` is false. `nil`
    /// is automatic.
    public var line: Double?
    /// Whether `line` counts lines of text.
    public var snapsToLines = true
    /// The edge of the box that `line` places.
    public var lineAlignment = LineAlignment.start
    /// A percentage from 0 to 100 along a line. `nil` is automatic.
    public var position: Double?
    /// The edge of the box that `position` places.
    public var positionAlignment = PositionAlignment.auto
    /// The length of a line, as a percentage from 0 to 100.
    public var size = 100.0
    /// How lines stand within the box.
    public var textAlignment = TextAlignment.center
    /// The identifier of the track's region that shows the cue. The last region of that name counts.
    public var region: String?

    /// Makes the settings of a cue without any.
    public init() {}
}
