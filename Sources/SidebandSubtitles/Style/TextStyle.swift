/// How a stretch of cue text looks: the CSS properties that WebVTT §8.2.1 allows, computed, in pixels.
public struct TextStyle: Sendable, Hashable {
    /// The treatment of spaces and line ends (CSS Text 3 §3).
    public enum WhiteSpace: String, Sendable, Hashable {
        /// Spaces and line ends count as one space; lines are wrapped.
        case normal
        /// Like `normal`, without wrapping.
        case nowrap
        /// All is kept; no wrapping.
        case pre
        /// All is kept; lines are wrapped.
        case preWrap = "pre-wrap"
        /// Line ends are kept, spaces count as one; lines are wrapped. The default of cues.
        case preLine = "pre-line"
        /// Like `pre-wrap`, but spaces at the end of a line take room.
        case breakSpaces = "break-spaces"

        /// Whether blanks at the end of a line take room.
        var keepsEnd: Bool { self == .pre || self == .breakSpaces }
        var keepsSpaces: Bool { self == .pre || self == .preWrap || self == .breakSpaces }
        var keepsLineEnds: Bool { self != .normal && self != .nowrap }
        var wraps: Bool { self != .nowrap && self != .pre }
    }

    /// How high a line is.
    public enum LineHeight: Sendable, Hashable {
        /// The height of the font.
        case normal
        /// Times the font size.
        case factor(Double)
        /// In pixels.
        case pixels(Double)
    }

    /// A line along a text.
    public struct Decoration: Sendable, Hashable {
        /// The place of the line.
        public enum Line: String, Sendable, Hashable {
            /// Below the text.
            case underline
            /// Above the text.
            case overline
            /// Through the text.
            case lineThrough = "line-through"
        }

        /// The place of the line.
        public var line: Line
        /// Its color.
        public var color: CueColor
    }

    /// A copy of the text behind it.
    public struct Shadow: Sendable, Hashable {
        /// How far to the right, in pixels.
        public var x: Double
        /// How far down, in pixels.
        public var y: Double
        /// How far it is blurred, in pixels.
        public var blur: Double
        /// Its color.
        public var color: CueColor
    }

    /// A frame around the box of a text.
    public struct Outline: Sendable, Hashable {
        /// Its thickness in pixels.
        public var width: Double
        /// Its color.
        public var color: CueColor
    }

    /// The text's color.
    public var color = CueColor.white
    /// Names of font families, the preferred one first.
    public var fontFamilies = ["sans-serif"]
    /// The size of the font in pixels.
    public var fontSize: Double
    /// From 1 to 1000; 400 is regular, 700 bold.
    public var weight = 400
    /// Whether the font is italic.
    public var isItalic = false
    /// How high lines are.
    public var lineHeight = LineHeight.normal
    /// The lines along the text.
    public var decorations: [Decoration] = []
    /// The text's shadows, the topmost first.
    public var shadows: [Shadow] = []
    /// Whether it is visible; invisible text still takes room.
    public var isVisible = true
    /// The treatment of spaces and line ends.
    public var whiteSpace = WhiteSpace.preLine
    /// Whether it is set upright within the width of one letter of vertical text.
    public var combinesUpright = false
    /// Whether a reading is below its base, not above.
    public var rubyIsUnder = false
    /// The colors behind the text, the lowest first: one for each element around it that has one.
    public var backgrounds: [CueColor] = []
    /// A frame around it.
    public var outline: Outline?
    /// How much of it covers, from 0 to 1.
    public var opacity = 1.0

    /// The style of a cue without styles (WebVTT §7.4).
    ///
    /// - Parameter fontSize: in pixels; 5 % of the picture's height.
    public init(fontSize: Double) {
        self.fontSize = fontSize
    }
}
