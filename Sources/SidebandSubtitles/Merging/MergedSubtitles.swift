/// One track made of the segments of a playlist.
public struct MergedSubtitles: Sendable {
    /// The cues by time, with the regions and styles of all segments.
    public internal(set) var track = SubtitleTrack()
    /// The header lines of the first segment that has any, such as `Kind: captions`.
    public internal(set) var headerLines: [String] = []
    /// How many segments were read.
    public internal(set) var segments = 0
    /// How many of them had no timestamp map, so that `UnmappedTimes` decided.
    public internal(set) var unmappedSegments = 0
    /// How many segments were left out because they are not there.
    public internal(set) var missingSegments = 0
    /// The first 1,000 problems.
    public internal(set) var problems: [SegmentProblem] = []

    /// Makes an empty result.
    init() {}

    mutating func note(_ problem: SegmentProblem) {
        if problems.count < WarningList.limit { problems.append(problem) }
    }
}

/// A problem of a segment.
public struct SegmentProblem: Sendable, Hashable {
    /// The kinds of problems.
    public enum Code: Sendable, Hashable {
        /// The segment could not be used at all.
        case refused(WebVTTError)
        /// A part of it was passed over.
        case warning(WebVTTWarning)
    }

    /// The number of the segment, counted from 0 in the order of adding.
    public var segment: Int
    /// The kind of problem.
    public var code: Code
}

extension SegmentProblem: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch code {
        case .refused(let error): "segment \(segment): \(error)"
        case .warning(let warning): "segment \(segment), \(warning)"
        }
    }
}
