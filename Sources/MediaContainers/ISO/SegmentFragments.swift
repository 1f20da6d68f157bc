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
        try self.init(reading: SegmentBytes(bytes: bytes), movie: movie, times: times)
    }

    /// Reads the fragments of a segment, for example of a file. It reads the boxes, but not the samples.
    ///
    /// - Parameters:
    ///   - source: the segment in the clear.
    ///   - movie: the tracks of its initialization section; a segment with its own `moov` box uses that.
    ///   - times: the start of a track's samples if fragments have none (`tfdt`).
    /// - Throws: `encrypted` if samples are still encrypted, `malformed` if boxes or samples exceed their containers;
    ///   the errors of the source.
    public init<Source: MediaBytes>(
        reading source: Source, movie: [MovieTrack], times: [Int: Int64] = [:]
    ) throws(SampleError) where Source.Failure == SampleError {
        var reader = FragmentsReader(size: source.count, movie: movie, times: times)
        try reader.read(source)
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
            for run in track.runs { all += bytes[run.place] }
            return TrackSamples(
                number: track.track.number, timescale: track.track.timescale, language: track.track.language,
                descriptions: track.track.descriptions, samples: track.samples, bytes: all)
        }
    }
}

extension SegmentFragments.Track {
    /// The samples that lie together in the segment: where they begin among the bytes of the track, and their place in
    /// the segment.
    public var runs: [(start: Int, place: Range<Int>)] {
        var runs: [(start: Int, place: Range<Int>)] = []
        var end = 0
        for (sample, offset) in zip(samples, offsets) {
            let place = offset..<offset + Int(sample.size)
            if let last = runs.last, last.place.upperBound == offset {
                runs[runs.count - 1].place = last.place.lowerBound..<place.upperBound
            } else {
                runs.append((end, place))
            }
            end += place.count
        }
        return runs
    }
}

/// A segment in memory.
private struct SegmentBytes: MediaBytes {
    let bytes: [UInt8]

    var count: Int { bytes.count }

    func read(at offset: Int, count: Int) throws(SampleError) -> [UInt8] {
        ArrayBytes(bytes).read(at: offset, count: count)
    }
}

/// Goes through the boxes of a segment.
private struct FragmentsReader {
    /// The length of the segment in bytes.
    let size: Int
    var movie: [MovieTrack]
    let times: [Int: Int64]
    var tracks: [SegmentFragments.Track] = []
    /// The bytes of the current `moov` or `moof` box, and its offset in the segment.
    private var (bytes, origin): ([UInt8], Int) = ([], 0)
    /// The decode time of the next sample of each track, where its fragment does not tell.
    private var next: [Int: Int64] = [:]
    private var count = 0
    /// How much further base data offsets lead than into this segment: they count from the beginning of the origin's file.
    private var shift: Int?

    /// Bytes that are read at once: most fragments have less than that before their samples.
    private static let pieceSize = 16 << 10

    init(size: Int, movie: [MovieTrack], times: [Int: Int64]) {
        (self.size, self.movie, self.times) = (size, movie, times)
    }

    mutating func read<Source: MediaBytes>(_ source: Source) throws(SampleError)
    where Source.Failure == SampleError {
        var window = ByteWindow(source, pieceSize: Self.pieceSize)
        var (offset, hasFragments) = (0, false)
        while offset + 8 <= size, let box = try Box(&window, at: offset), box.end <= size {
            offset = box.end
            guard box.name == "moov" || box.name == "moof" else { continue }
            bytes = Array(try window.bytes(at: box.start, box.end - box.start) ?? [])
            origin = box.start
            if box.name == "moov" {
                movie = try MovieTrack.all(in: bytes)
            } else if let fragment = Box.list(bytes, bytes.indices).first {
                hasFragments = true
                try read(fragment: fragment)
            }
        }
        guard hasFragments else { throw .unknownContainer }
    }

    private mutating func read(fragment: Box) throws(SampleError) {
        if tracks.isEmpty { tracks = movie.map { SegmentFragments.Track(track: $0) } }
        var end = origin
        for box in Box.list(bytes, fragment.content) where box.name == "traf" {
            end = try read(track: box, after: end)
        }
    }

    /// - Returns: where its data ends, where that of the next one begins unless it says otherwise (section 8.8.7).
    private mutating func read(track box: Box, after end: Int) throws(SampleError) -> Int {
        let boxes = Box.list(bytes, box.content)
        guard let header = boxes.first(where: { $0.name == "tfhd" }),
            var run = FragmentHeader(bytes, header.content)
        else { throw .malformed(offset: origin + box.start, reason: "tfhd") }
        guard let index = tracks.firstIndex(where: { $0.track.number == run.track }) else {
            throw .malformed(offset: origin + box.start, reason: "unknown track")
        }
        run.takeDefaults(of: tracks[index].track)
        (run.origin, run.end) = (origin, size)
        run.base = base(of: run, after: end)
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

    private mutating func base(of run: FragmentHeader, after end: Int) -> Int {
        guard let base = run.dataOffset else { return run.isBasedOnFragment ? origin : end }
        if shift == nil, base > size { shift = base - origin }
        return base > size ? base - (shift ?? 0) : base
    }

    private static func time(_ bytes: [UInt8], _ content: Range<Int>) -> Int64? {
        var reader = NumberReader(bytes, content)
        guard let word = reader.next(4), let time = reader.next(word >> 24 == 1 ? 8 : 4) else { return nil }
        return Int64(min(max(time, 0), 1 << 60))
    }
}
