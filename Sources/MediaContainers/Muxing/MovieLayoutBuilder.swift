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
        /// The silence that fills gaps in its sound, by the descriptions of the track.
        var silences: [SilentFrame?] = []
        /// Tracks that are read with it, as `tref` names them: the number of its chapters.
        var chapters: UInt32?
    }

    private(set) var tracks: [Track]
    private(set) var chunks: [MovieLayout.Chunk] = []
    private(set) var made: [UInt8] = []
    private var samples = 0

    /// The version of the layout, increased when the same indexes make another file.
    public static let version = 2
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
        // Taken out of the array while it grows, so that its table is never copied.
        var own = tracks[track]
        tracks[track].table = SampleTable()
        defer { tracks[track] = own }
        let scale = own.output.timescale
        let isSound = own.output.kind == .audio
        let edit = source.delay - source.presentationStart
        let ticks = Ticks.nearest(shift, scale) + Ticks.scaled(edit, from: source.timescale, to: scale)
        var open: MovieLayout.Chunk?
        var offset = 0
        for sample in source.samples {
            let sample = sample.moved(from: source.timescale, to: scale, by: ticks)
            let number = numbers[Int(sample.description)]
            if own.table.clock.gap(before: sample) != nil, let silence = own.silences[Int(number) - 1] {
                let filling = silence.samples(after: own.table.clock, before: sample, timescale: scale)
                if !filling.isEmpty {
                    close(&open)
                    try fill(filling, silence, in: &own, number: track, description: number)
                }
            }
            let time = Double(sample.decodeTime) / Double(scale)
            let isTaken = own.table.add(sample, isSound: isSound)
            if !isTaken || open?.continues(with: number, at: time) == false { close(&open) }
            if isTaken, open == nil {
                open = MovieLayout.Chunk(
                    offset: 0, length: 0, track: track, segment: segment, sourceOffset: offset, time: time,
                    count: 0, description: number)
            }
            if isTaken { open?.append(sample) }
            offset += Int(sample.size)
        }
        close(&open)
        present(source, in: &own, shift: shift)
    }

    /// Adds the open chunk, if there is one, to the file.
    private mutating func close(_ open: inout MovieLayout.Chunk?) {
        if let chunk = open { chunks.append(chunk) }
        open = nil
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
        let scale = Double(own.output.timescale)
        let offset = made.count
        var longest = 0
        var chunk: MovieLayout.Chunk?
        for sample in filling where own.table.add(sample, isSound: true) {
            let time = Double(sample.decodeTime) / scale
            if chunk?.continues(with: description, at: time) == false { close(&chunk) }
            var open =
                chunk
                ?? MovieLayout.Chunk(
                    offset: 0, length: 0, track: track, segment: nil, sourceOffset: offset, time: time,
                    count: 0, description: description)
            open.length += silence.bytes.count
            open.count += 1
            longest = max(longest, Int(open.count))
            chunk = open
        }
        close(&chunk)
        for _ in 0..<longest { made += silence.bytes }
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
            chunks.append(
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
        guard chunks.contains(where: { $0.segment != nil }) else { throw .empty }
        // Interleaved by when they are decoded; within a moment as tracks come.
        var placed = chunks.sorted { ($0.time, $0.track) < ($1.time, $1.track) }
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
}

extension MovieLayout.Chunk {
    /// The longest chunk, in seconds.
    private static let longest = 0.75

    /// Whether a sample with this description and decoding time belongs to the chunk.
    fileprivate func continues(with description: UInt32, at time: Double) -> Bool {
        self.description == description && time - self.time < Self.longest
    }

    fileprivate mutating func append(_ sample: MediaSample) {
        length += Int(sample.size)
        count += 1
    }
}
