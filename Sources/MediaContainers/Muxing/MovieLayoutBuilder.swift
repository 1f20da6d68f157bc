/// Lays a progressive MP4 file out from the indexes of its segments.
///
/// ```swift
/// var builder = MovieLayoutBuilder(tracks: tracks)
/// for (number, index) in indexes.enumerated() {
///     try builder.add(index.tracks[0], to: 0, segment: number, shift: timeline.shifts[number])
/// }
/// let layout = try builder.layout(MovieInformation(title: "Film"))
/// ```
public struct MovieLayoutBuilder: Sendable {
    /// One track of the file with its added samples.
    struct Track: Sendable {
        var output: OutputTrack
        var table = SampleTable()
        /// Its chunks in the order of their samples, without offsets in the file.
        var chunks: [MovieLayout.Chunk] = []
        /// The silence that fills gaps in its sound, by the descriptions of the track.
        var silences: [SilentFrame?] = []
        /// Tracks that are read with it, as `tref` names them: the number of its chapters.
        var chapters: UInt32?

        /// The silence that fits between the last sample and the next one; `nil` without any.
        func silence(before sample: MediaSample, description: UInt32) -> SilentFrame? {
            guard let gap = table.clock.gap(before: sample),
                silences[Int(description) - 1]?.fits(in: gap, timescale: output.timescale) == true
            else { return nil }
            return silences[Int(description) - 1]
        }

        /// Adds the open chunk, if it has samples.
        fileprivate mutating func close(_ open: inout OpenChunk) {
            guard open.count > 0 else { return }
            chunks.append(open.chunk)
            open.count = 0
        }
    }

    private(set) var tracks: [Track]
    private(set) var made: [UInt8] = []
    private var samples = 0

    /// The version of the layout, increased when the same indexes make another file.
    public static let version = 3
    /// Samples that a file may have: some 100 hours of video and sound.
    var mostSamples = 1 << 26

    /// Makes a builder for tracks; their descriptions come from the segments that are added.
    public init(tracks: [OutputTrack]) {
        self.tracks = tracks.map { output in
            var track = Track(output: output)
            track.output.descriptions = []
            return track
        }
    }

    /// Adds the samples of a segment to a track, behind those that were added before.
    ///
    /// - Parameters:
    ///   - source: the segment's samples, from its index.
    ///   - track: the number of the track in the builder, from 0.
    ///   - segment: any number, which identifies the segment in chunks.
    ///   - shift: the seconds that are added to the times of the source.
    public mutating func add(
        _ source: SampleIndex.Track, to track: Int, segment: Int, shift: Double
    ) throws(MovieLayoutError) {
        samples += source.samples.count
        guard samples <= mostSamples else { throw .tooLarge }
        let numbers = try numbers(of: source, track, segment)
        // Taken out of the array while it grows, so that its tables are never copied.
        var own = tracks[track]
        (tracks[track].table, tracks[track].chunks) = (SampleTable(), [])
        defer { tracks[track] = own }
        let scale = own.output.timescale
        let isSound = own.output.kind == .audio
        let edit = source.delay - source.presentationStart
        let ticks = Ticks.nearest(shift, scale) + Ticks.scaled(edit, from: source.timescale, to: scale)
        var open = OpenChunk(track: track, segment: segment, timescale: scale)
        var offset = 0
        for sample in source.samples {
            let sample = sample.moved(from: source.timescale, to: scale, by: ticks)
            let number = numbers[Int(sample.description)]
            if let silence = own.silence(before: sample, description: number) {
                own.close(&open)
                let filling = silence.samples(after: own.table.clock, before: sample, timescale: scale)
                try fill(filling, silence, in: &own, number: track, description: number)
            }
            if own.table.add(sample, isSound: isSound) {
                if !open.continues(with: sample, number) { own.close(&open) }
                open.append(sample, number, at: offset)
            } else {
                own.close(&open)
            }
            offset += Int(sample.size)
        }
        own.close(&open)
        present(source, in: &own, shift: shift)
    }

    /// Widens the time in which a track is presented.
    private func present(_ source: SampleIndex.Track, in track: inout Track, shift: Double) {
        let scale = track.output.timescale
        guard let range = source.presentedTicks else { return }
        let base = Ticks.nearest(shift, scale)
        let start = Ticks.scaled(range.lowerBound, from: source.timescale, to: scale) + base
        let end = Ticks.scaled(range.upperBound, from: source.timescale, to: scale) + base
        track.table.present(start..<max(start, end))
    }

    /// Adds silence to a track. All of it has the same bytes.
    private mutating func fill(
        _ filling: [MediaSample], _ silence: SilentFrame, in own: inout Track, number track: Int,
        description: UInt32
    ) throws(MovieLayoutError) {
        samples += filling.count
        guard samples <= mostSamples else { throw .tooLarge }
        var open = OpenChunk(track: track, segment: nil, timescale: own.output.timescale)
        var most = 0
        for sample in filling where own.table.add(sample, isSound: true) {
            if !open.continues(with: sample, description) { own.close(&open) }
            open.append(sample, description, at: made.count)
            most = max(most, Int(open.count))
        }
        own.close(&open)
        for _ in 0..<most { made += silence.bytes }
    }

    /// The numbers that the descriptions of a segment have in the file.
    private mutating func numbers(
        of source: SampleIndex.Track, _ track: Int, _ segment: Int
    ) throws(MovieLayoutError) -> [UInt32] {
        var numbers: [UInt32] = []
        for description in source.descriptions {
            let known = tracks[track].output.descriptions
            if let first = known.first,
                first.entry.dropFirst(4).prefix(4) != description.entry.dropFirst(4).prefix(4)
            {
                throw .codecChanges(segment: segment, from: first.codec, to: description.codec)
            }
            if let index = known.firstIndex(where: { $0.entry == description.entry }) {
                numbers.append(UInt32(index + 1))
            } else {
                guard known.count < 1000 else { throw .tooLarge }
                tracks[track].output.descriptions.append(description)
                tracks[track].silences.append(source.kind == .audio ? SilentFrame(description) : nil)
                numbers.append(UInt32(known.count + 1))
            }
        }
        return numbers
    }

    /// Adds a track of samples that were made for the file.
    mutating func add(_ output: OutputTrack, made samples: TrackSamples) {
        var track = Track(output: output)
        var offset = made.count
        for sample in samples.samples where track.table.add(sample, isSound: false) {
            let time = Double(sample.decodeTime) / Double(output.timescale)
            track.chunks.append(
                MovieLayout.Chunk(
                    offset: 0, length: Int(sample.size), track: tracks.count, segment: nil,
                    sourceOffset: offset,
                    time: time, count: 1, description: 1))
            offset += Int(sample.size)
        }
        if let end = track.table.end { track.table.present(0..<max(end, 0)) }
        made += samples.bytes
        tracks.append(track)
    }

    /// Names a track that was added last as the chapters of all others.
    mutating func useLastTrackAsChapters() {
        guard let number = tracks.last?.output.number else { return }
        for index in tracks.indices.dropLast() where tracks[index].output.kind != .text {
            tracks[index].chapters = number
        }
    }

    /// The file.
    ///
    /// - Throws: `empty` without a sample.
    public func layout(_ information: MovieInformation = MovieInformation()) throws(MovieLayoutError)
        -> MovieLayout
    {
        guard tracks.contains(where: { $0.chunks.contains { $0.segment != nil } }) else { throw .empty }
        var placed = interleaved()
        var size: UInt64 = 0
        for index in placed.indices {
            placed[index].offset = size
            size += UInt64(placed[index].length)
        }
        let writer = MovieHeadWriter(tracks: tracks, chunks: placed, information: information)
        let head = writer.head(mediaSize: size)
        for index in placed.indices { placed[index].offset += UInt64(head.count) }
        return MovieLayout(
            head: head, chunks: placed, made: made, length: UInt64(head.count) + size,
            tracks: tracks.map(\.output), duration: writer.seconds)
    }

    /// The chunks of all tracks by when they are decoded, at the same time in the order of the tracks. Those of a track
    /// stay in their order, by which its tables count samples.
    private func interleaved() -> [MovieLayout.Chunk] {
        let lists = tracks.map(\.chunks)
        var chunks: [MovieLayout.Chunk] = []
        chunks.reserveCapacity(lists.reduce(0) { $0 + $1.count })
        var next = [Int](repeating: 0, count: lists.count)
        while true {
            var first: Int?
            for track in lists.indices where next[track] < lists[track].count {
                if let first, lists[first][next[first]].time <= lists[track][next[track]].time { continue }
                first = track
            }
            guard let first else { return chunks }
            chunks.append(lists[first][next[first]])
            next[first] += 1
        }
    }
}

/// The chunk that samples are added to; it is none without a sample.
private struct OpenChunk {
    let track: Int
    let segment: Int?
    let timescale: UInt32
    /// The longest chunk, in ticks.
    private let longest: Int64
    var count: UInt32 = 0
    /// The decoding time of its first sample, in ticks.
    private var start: Int64 = 0
    private var description: UInt32 = 0
    private var sourceOffset = 0
    private var length = 0

    init(track: Int, segment: Int?, timescale: UInt32) {
        (self.track, self.segment, self.timescale) = (track, segment, timescale)
        longest = Int64(timescale) * 3 / 4
    }

    /// Whether a sample with this description belongs to the chunk.
    func continues(with sample: MediaSample, _ description: UInt32) -> Bool {
        self.description == description && sample.decodeTime - start < longest
    }

    mutating func append(_ sample: MediaSample, _ description: UInt32, at offset: Int) {
        if count == 0 {
            (start, sourceOffset, length) = (sample.decodeTime, offset, 0)
            self.description = description
        }
        length += Int(sample.size)
        count += 1
    }

    /// The chunk as it is.
    var chunk: MovieLayout.Chunk {
        MovieLayout.Chunk(
            offset: 0, length: length, track: track, segment: segment, sourceOffset: sourceOffset,
            time: Double(start) / Double(timescale), count: count, description: description)
    }
}
