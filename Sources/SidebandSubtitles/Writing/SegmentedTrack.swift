/// A track cut into segments of an HLS playlist (RFC 8216bis §3.1.4).
///
/// A cue is, whole, in each segment that it touches, so that players find it wherever they start. Nothing is lost:
/// the first segment has the cues before it, too, and the last segment those after it.
///
/// ```swift
/// let segments = SegmentedTrack(track, segmentStarts: [0, 6, 12], writer: WebVTTWriter())
/// for index in 0..<segments.count { print(segments.segment(index).count, "bytes") }
/// ```
public struct SegmentedTrack: Sendable {
    /// The start of each segment, in order; the first one is taken to start at the beginning.
    private let starts: [CueTime]
    private let cues: [Cue]
    /// For each cue the latest end of all cues up to it.
    private let latestEnds: [CueTime]
    private let writer: WebVTTWriter
    /// The regions and styles.
    private let definitions: SubtitleTrack

    /// Cuts a track.
    ///
    /// - Parameters:
    ///   - track: the whole track; its cues may be in any order.
    ///   - starts: when each segment starts, in seconds, in order.
    ///   - writer: has the header of each segment.
    public init(_ track: SubtitleTrack, segmentStarts starts: [Double], writer: WebVTTWriter) {
        var sorted = track
        sorted.sortCues()
        cues = sorted.cues
        var latest = CueTime(milliseconds: .min)
        latestEnds = sorted.cues.map { cue in
            latest = max(latest, SegmentedTrack.lastMoment(of: cue))
            return latest
        }
        self.starts = starts.map { CueTime(seconds: $0) }
        self.writer = writer
        definitions = SubtitleTrack(regions: track.regions, styles: track.styles)
    }

    /// How many segments there are.
    public var count: Int { starts.count }

    /// A segment as WebVTT text.
    ///
    /// - Parameters:
    ///   - index: its number, from 0; an index out of range gives a segment without cues.
    ///   - timestampMap: the map of this segment, in place of the writer's.
    public func segment(_ index: Int, timestampMap: TimestampMap? = nil) -> [UInt8] {
        var writer = writer
        if let timestampMap { writer.timestampMap = timestampMap }
        let definitions = writer.definitions(of: definitions)
        guard starts.indices.contains(index) else { return definitions }
        let start = index == 0 ? CueTime(milliseconds: .min) : starts[index]
        let end = index + 1 < starts.count ? starts[index + 1] : CueTime(milliseconds: .max)
        var bytes = definitions
        for cue in cues[firstCue(endingAfter: start)...] {
            if cue.start >= end && cue.start > start { break }
            if SegmentedTrack.lastMoment(of: cue) >= start { WebVTTWriter.append(cue, to: &bytes) }
        }
        return bytes
    }

    /// The first cue that may be shown at a time or after it.
    private func firstCue(endingAfter time: CueTime) -> Int {
        var low = 0
        var high = cues.count
        while low < high {
            let middle = (low + high) / 2
            if latestEnds[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The last millisecond of a cue; its start if it is never shown.
    private static func lastMoment(of cue: Cue) -> CueTime {
        max(cue.start, CueTime(milliseconds: cue.end.milliseconds - 1))
    }
}
