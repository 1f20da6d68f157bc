/// Puts the segments of all renditions on one timeline without jumps.
///
/// Within a discontinuity, times are those of the source, so that audio and video stay in step. Each discontinuity
/// begins at the real end of the one before, whatever the playlist says about durations.
///
/// ```swift
/// let timeline = MovieTimeline(pieces)
/// for (piece, shift) in zip(pieces, timeline.shifts) { print(piece.stream, piece.start + shift) }
/// ```
public struct MovieTimeline: Sendable {
    /// The times of a segment's samples by their own clock, and its place in the playlist.
    public struct Piece: Sendable {
        /// The rendition, by any number.
        public var stream: Int
        /// The discontinuity sequence number.
        public var discontinuity: Int
        /// The start by the playlist, in seconds.
        public var place: Double
        /// How long it is by the playlist, in seconds.
        public var duration: Double
        /// The start by its own clock, in seconds.
        public var start: Double
        /// The end by its own clock, in seconds.
        public var end: Double
        /// Whether its clock has 33 bits of 90 kHz.
        public var wraps: Bool

        /// Times of a segment.
        public init(
            stream: Int, discontinuity: Int, place: Double, duration: Double, start: Double, end: Double,
            wraps: Bool
        ) {
            (self.stream, self.discontinuity, self.place) = (stream, discontinuity, place)
            (self.duration, self.start, self.end, self.wraps) = (duration, start, end, wraps)
        }
    }

    /// Seconds that are added to the times of each piece.
    public private(set) var shifts: [Double]
    /// The end of the last sample, in seconds.
    public private(set) var end = 0.0

    /// Seconds after which a clock of 33 bits begins anew.
    static let period = Double(1 << 33) / 90_000
    /// The largest difference in seconds between a clock and the end before; beyond it, the clock was reset without a
    /// discontinuity.
    private static let tolerance = 10.0

    /// Puts pieces on a timeline that begins at 0 with the first of them.
    ///
    /// - Parameter pieces: the pieces; those of one stream in the order of its playlist.
    public init(_ pieces: [Piece]) {
        shifts = [Double](repeating: 0, count: pieces.count)
        let groups = Dictionary(grouping: pieces.indices) { pieces[$0].discontinuity }
        for key in groups.keys.sorted() { place(groups[key] ?? [], of: pieces) }
    }

    private mutating func place(_ group: [Int], of pieces: [Piece]) {
        guard let first = group.min(by: { pieces[$0].place < pieces[$1].place }) else { return }
        var reference = [Int: (start: Double, place: Double)]()
        var (start, end) = (Double.infinity, -Double.infinity)
        for index in group {
            let piece = pieces[index]
            let near = reference[piece.stream] ?? (pieces[first].start, pieces[first].place)
            let expected = near.start + piece.place - near.place
            shifts[index] = Self.shift(of: piece, expected: expected)
            let own = (piece.start + shifts[index], piece.end + shifts[index])
            reference[piece.stream] = (own.1, piece.place + piece.duration)
            (start, end) = (min(start, own.0), max(end, own.1))
        }
        for index in group { shifts[index] += self.end - start }
        self.end += max(0, end - start)
    }

    /// The shift from the clock of a piece to that of the pieces around it.
    private static func shift(of piece: Piece, expected: Double) -> Double {
        let difference = expected - piece.start
        let turns = piece.wraps ? period * Double(Ticks.whole(difference / period)) : 0
        return abs(difference - turns) <= tolerance ? turns : difference
    }
}

extension SampleIndex.Track {
    /// The presentation time of its samples by the clock of the source, in seconds; `nil` without any. Samples that
    /// only prepare the decoder do not count.
    public var presentation: (start: Double, end: Double)? {
        guard let range = presentedTicks else { return nil }
        let scale = Double(timescale)
        return (Double(range.lowerBound) / scale, Double(range.upperBound) / scale)
    }

    /// The presentation time of its samples, in ticks from the beginning of the presentation.
    var presentedTicks: Range<Int64>? {
        guard !samples.isEmpty else { return nil }
        var (start, end) = (Int64.max, Int64.min)
        for sample in samples {
            let time = sample.decodeTime &+ Int64(sample.presentationOffset)
            (start, end) = (min(start, time), max(end, time &+ Int64(sample.duration)))
        }
        if presentationStart > 0 { start = max(start, presentationStart) }
        let shift = delay &- presentationStart
        (start, end) = (start &+ shift, end &+ shift)
        return start..<max(start, end)
    }
}
