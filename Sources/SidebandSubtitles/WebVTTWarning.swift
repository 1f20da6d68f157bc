/// Something in a WebVTT file that a player passes over, and where.
public struct WebVTTWarning: Sendable, Hashable {
    /// The kinds of text that a parser skips.
    public enum Code: Sendable, Hashable {
        /// A line with `-->` whose timings cannot be read. Its cue is left out.
        case unreadableTimings
        /// A cue that ends before it starts.
        case endBeforeStart
        /// A cue setting that is unknown or has a value it cannot have.
        case unknownCueSetting
        /// A region setting that is unknown or has a value it cannot have.
        case unknownRegionSetting
        /// A `STYLE` or `REGION` block after the first cue.
        case lateDefinition
        /// A block that is neither a cue, nor `NOTE`, `STYLE` or `REGION`.
        case unknownBlock
        /// A cue that follows another block without a blank line.
        case missingBlankLine
        /// Bytes that are no UTF-8, shown as U+FFFD.
        case invalidUTF8
        /// An `X-TIMESTAMP-MAP` line that cannot be read; it counts as absent.
        case unreadableTimestampMap
        /// A region, style sheet or header line beyond `WebVTTLimits.blocks`.
        case tooManyBlocks
        /// More cues than `WebVTTLimits.cues` in a segment; the rest is left out.
        case tooManyCues
        /// A segment without the `WEBVTT` line, read nevertheless.
        case missingSignature
    }

    /// The kind of text that was skipped.
    public var code: Code
    /// The line, counted from 1.
    public var line: Int

    /// A warning about a line.
    public init(_ code: Code, line: Int) {
        self.code = code
        self.line = line
    }
}

extension WebVTTWarning: CustomStringConvertible {
    /// One sentence for a person, such as `line 7: the timings cannot be read`.
    public var description: String { "line \(line): \(code.sentence)" }
}

extension WebVTTWarning.Code {
    var sentence: String {
        switch self {
        case .unreadableTimings: "the timings cannot be read"
        case .endBeforeStart: "the cue ends before it starts"
        case .unknownCueSetting: "a cue setting is unknown or cannot have its value"
        case .unknownRegionSetting: "a region setting is unknown or cannot have its value"
        case .lateDefinition: "styles and regions must come before the first cue"
        case .unknownBlock: "the block is no cue"
        case .missingBlankLine: "a blank line is missing before the cue"
        case .invalidUTF8: "the text is not UTF-8"
        case .unreadableTimestampMap: "the timestamp map cannot be read"
        case .tooManyBlocks: "there are too many regions, style sheets or header lines"
        case .tooManyCues: "there are too many cues; the rest is left out"
        case .missingSignature: "the segment does not begin with WEBVTT"
        }
    }
}

/// Warnings in the order of their lines: the first of them, and how many there were.
struct WarningList {
    static let limit = 1000
    private(set) var first: [WebVTTWarning] = []
    private(set) var count = 0

    mutating func add(_ code: WebVTTWarning.Code, line: Int) {
        count += 1
        if first.count < WarningList.limit { first.append(WebVTTWarning(code, line: line)) }
    }
}
