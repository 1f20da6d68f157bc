/// The samples of a fragmented MP4 segment, by where they lie in it (ISO/IEC 14496-12, section 8.8).
///
/// ```swift
/// let movie = try MovieTrack.all(in: initialization)
/// for track in try SegmentFragments(segment, movie: movie).tracks {
///     print(track.track.kind, track.samples.count, track.size)
/// }
/// ```
public struct SegmentFragments: Sendable {
    /// The samples of one track.
    public struct Track: Sendable {
        /// The track with its descriptions.
        public var track: MovieTrack
        /// The samples in decoding order. Their times are those of the media, before any edit.
        public var samples: [MediaSample] = []
        /// The offset of each sample in the segment.
        public var offsets: [Int] = []
        /// The size of all samples together.
        public var size = 0
    }

    /// The tracks that have samples, in the order of the movie.
    public private(set) var tracks: [Track] = []

    /// Samples that a segment may have.
    static let mostSamples = 1 << 20

    /// Reads the fragments of a segment.
    ///
    /// - Parameters:
    ///   - bytes: the segment in the clear.
    ///   - movie: the tracks of its initialization section; a segment with its own `moov` box uses that.
    ///   - times: the start of a track's samples if fragments have none (`tfdt`).
    /// - Throws: `encrypted` if samples are still encrypted, `malformed` if boxes or samples exceed their containers.
    public init(
        _ bytes: [UInt8], movie: [MovieTrack], times: [Int: Int64] = [:]
    ) throws(SampleError) {
        var reader = FragmentsReader(bytes: bytes, movie: movie, times: times)
        try reader.read()
        tracks = reader.tracks.filter { !$0.samples.isEmpty }
        guard tracks.allSatisfy({ !$0.track.isEncrypted }) else { throw .encrypted }
    }

    /// The samples with their bytes.
    ///
    /// - Parameter bytes: the segment that was read.
    public func samples(of bytes: [UInt8]) -> [TrackSamples] {
        tracks.map { track in
            var all: [UInt8] = []
            all.reserveCapacity(track.size)
            var (start, end) = (0, 0)
            for (sample, offset) in zip(track.samples, track.offsets) {
                if offset != end {
                    all += bytes[start..<end]
                    start = offset
                }
                end = offset + Int(sample.size)
            }
            all += bytes[start..<end]
            return TrackSamples(
                number: track.track.number, timescale: track.track.timescale, language: track.track.language,
                descriptions: track.track.descriptions, samples: track.samples, bytes: all)
        }
    }
}

/// Goes through the boxes of a segment.
private struct FragmentsReader {
    let bytes: [UInt8]
    var movie: [MovieTrack]
    let times: [Int: Int64]
    var tracks: [SegmentFragments.Track] = []
    /// The decode time of the next sample of each track, where its fragment does not tell.
    private var next: [Int: Int64] = [:]
    private var count = 0
    /// How much further base data offsets lead than into this segment: they count from the beginning of the origin's file.
    private var shift: Int?

    init(bytes: [UInt8], movie: [MovieTrack], times: [Int: Int64]) {
        (self.bytes, self.movie, self.times) = (bytes, movie, times)
    }

    mutating func read() throws(SampleError) {
        var hasFragments = false
        for box in Box.list(bytes, bytes.indices) {
            if box.name == "moov" { movie = try MovieTrack.all(in: Array(bytes[box.start..<box.end])) }
            guard box.name == "moof" else { continue }
            hasFragments = true
            try read(fragment: box)
        }
        guard hasFragments else { throw .unknownContainer }
    }

    private mutating func read(fragment: Box) throws(SampleError) {
        if tracks.isEmpty { tracks = movie.map { SegmentFragments.Track(track: $0) } }
        var end = fragment.start
        for box in Box.list(bytes, fragment.content) where box.name == "traf" {
            end = try read(track: box, of: fragment, after: end)
        }
    }

    /// - Returns: where its data ends, where that of the next one begins unless it says otherwise (section 8.8.7).
    private mutating func read(track box: Box, of fragment: Box, after end: Int) throws(SampleError) -> Int {
        let boxes = Box.list(bytes, box.content)
        guard let header = boxes.first(where: { $0.name == "tfhd" }),
            var run = FragmentHeader(bytes, header.content)
        else { throw .malformed(offset: box.start, reason: "tfhd") }
        guard let index = tracks.firstIndex(where: { $0.track.number == run.track }) else {
            throw .malformed(offset: box.start, reason: "unknown track")
        }
        run.takeDefaults(of: tracks[index].track)
        run.base = base(of: run, fragment, after: end)
        run.offset = run.base
        let time = boxes.first { $0.name == "tfdt" }.flatMap { Self.time(bytes, $0.content) }
        run.time = time ?? next[run.track] ?? times[run.track] ?? 0
        for part in boxes where part.name == "trun" {
            try run.read(
                bytes, part.content, into: &tracks[index], room: SegmentFragments.mostSamples - count)
            count += run.count
        }
        next[run.track] = run.time
        return run.offset
    }

    private mutating func base(of run: FragmentHeader, _ fragment: Box, after end: Int) -> Int {
        guard let base = run.dataOffset else { return run.isBasedOnFragment ? fragment.start : end }
        if shift == nil, base > bytes.count { shift = base - fragment.start }
        return base > bytes.count ? base - (shift ?? 0) : base
    }

    private static func time(_ bytes: [UInt8], _ content: Range<Int>) -> Int64? {
        var reader = NumberReader(bytes, content)
        guard let word = reader.next(4), let time = reader.next(word >> 24 == 1 ? 8 : 4) else { return nil }
        return Int64(min(max(time, 0), 1 << 60))
    }
}
