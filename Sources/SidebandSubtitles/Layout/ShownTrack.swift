/// A track prepared for showing: its cues by time, its styles read.
///
/// ```swift
/// let frame = TerminalFrame(columns: 80)
/// print(String(decoding: frame.bytes(of: [ShownTrack(track, language: "en")], at: CueTime(seconds: 12)), as: UTF8.self))
/// ```
public struct ShownTrack: Sendable {
    /// The track, its cues in display order.
    public let track: SubtitleTrack
    /// Its language as a BCP-47 tag; empty when unknown.
    public let language: String
    let sheet: CueStyleSheet
    /// The ends of all cues, in order.
    private let ends: [CueTime]
    /// For each stretch of `blockLength` cues, the latest end.
    private let latestEnds: [CueTime]
    private static let blockLength = 256

    /// Prepares a track.
    public init(_ track: SubtitleTrack, language: String = "") {
        var track = track
        track.sortCues()
        self.track = track
        self.language = language
        sheet = CueStyleSheet(track.styles)
        ends = track.cues.map(\.end).sorted()
        latestEnds = stride(from: 0, to: track.cues.count, by: ShownTrack.blockLength).map { start in
            track.cues[start..<min(start + ShownTrack.blockLength, track.cues.count)].map(\.end).max()
                ?? CueTime(milliseconds: 0)
        }
    }

    /// The indices of the first cues that are shown at a moment, in order.
    func active(at time: CueTime, limit: Int) -> [Int] {
        var found: [Int] = []
        let end = startCount(upTo: time)
        for (block, latest) in latestEnds.enumerated() where latest > time {
            let start = block * ShownTrack.blockLength
            guard start < end, found.count < limit else { break }
            for index in start..<min(start + ShownTrack.blockLength, end) where track.cues[index].end > time {
                found.append(index)
            }
        }
        return Array(found.prefix(limit))
    }

    /// The last moment up to a time, and the first after it, at which a cue starts or ends.
    func changes(around time: CueTime) -> (last: CueTime?, next: CueTime?) {
        let (started, ended) = (startCount(upTo: time), endCount(upTo: time))
        let last = [started > 0 ? track.cues[started - 1].start : nil, ended > 0 ? ends[ended - 1] : nil]
        let next = [
            started < track.cues.count ? track.cues[started].start : nil,
            ended < ends.count ? ends[ended] : nil,
        ]
        return (last.compactMap { $0 }.max(), next.compactMap { $0 }.min())
    }

    private func startCount(upTo time: CueTime) -> Int {
        ShownTrack.count(track.cues.count) { track.cues[$0].start <= time }
    }

    private func endCount(upTo time: CueTime) -> Int {
        ShownTrack.count(ends.count) { ends[$0] <= time }
    }

    /// The number of leading indices with a property that none of the later ones has.
    private static func count(_ total: Int, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, total)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
