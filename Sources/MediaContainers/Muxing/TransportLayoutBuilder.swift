/// Makes the layout of a transport stream (ISO/IEC 13818-1) from the sample indexes of its segments.
///
/// ```swift
/// var builder = TransportLayoutBuilder(tracks: tracks)
/// for (number, index) in indexes.enumerated() {
///     try builder.add(index.tracks[0], to: 0, segment: number, shift: timeline.shifts[number])
/// }
/// let layout = try builder.layout()
/// ```
public struct TransportLayoutBuilder: Sendable {
    private struct Track: Sendable {
        var made: TransportLayout.Track
        var clock = SampleClock()
        /// The index in `made.forms` of the last sample's form; -1 before the first sample.
        var lastForm = -1
        var firstTime = Int64.max
        var presented: (start: Int64, end: Int64)?
    }

    /// A run, the time of its first sample, and the number of the block (`slot`) with this time.
    private struct Timed: Sendable {
        var slot: Int64
        var time: Int64
        var run: TransportLayout.Run
    }

    private var tracks: [Track]
    private var list: [Timed] = []
    private var samples = 0

    /// The version of the layouts. It grows when the same indexes give another file.
    public static let version = 2
    /// The length of a block in ticks of 90 kHz. Each block begins with the tables, so they are repeated within half a
    /// second.
    private static let length = Int64(36_000)
    /// The largest numbers of bytes of a run and of a block, for streams with very high bit rates.
    private static let (largestRun, largestBlock) = (4 << 20, 16 << 20)
    /// The largest number of samples of a file: about 100 hours of video and sound.
    var mostSamples = 1 << 26

    /// Creates a builder for tracks. The codec descriptions in `tracks` are not used: each added segment has its own.
    public init(tracks: [OutputTrack]) {
        self.tracks = tracks.enumerated().map { index, output in
            var track = TransportLayout.Track(
                output: output, forms: [], stream: ProgramWriter.firstStream + index, packetKind: 0,
                hasClock: index == 0, lead: 0)
            track.output.descriptions = []
            return Track(made: track)
        }
    }

    /// Adds the samples of a segment at the end of a track.
    ///
    /// - Parameters:
    ///   - source: the segment's samples, from its index.
    ///   - track: the number of the track in the builder, from 0.
    ///   - segment: the caller's number of the segment, which its runs have.
    ///   - shift: the seconds to add to the times of the source.
    public mutating func add(
        _ source: SampleIndex.Track, to track: Int, segment: Int, shift: Double
    ) throws(MovieLayoutError) {
        samples += source.samples.count
        guard samples <= mostSamples else { throw .tooLarge }
        let numbers = try numbers(of: source, track, segment)
        let scale = tracks[track].made.output.timescale
        let edit = source.delay &- source.presentationStart
        let ticks = Ticks.nearest(shift, scale) &+ Ticks.scaled(edit, from: source.timescale, to: scale)
        let silences = source.silences
        var (open, offset) = (Timed?.none, 0)
        for (index, sample) in source.samples.enumerated() {
            let moved = sample.moved(from: source.timescale, to: scale, by: ticks)
            if let silence = silences[Int(sample.description)] {
                let filling = silence.samples(
                    after: tracks[track].clock, before: moved, timescale: scale)
                if !filling.isEmpty, let known = open {
                    close(known, source.samples, timescale: source.timescale, numbers)
                    open = nil
                }
                try fill(filling[...], silence, in: track, form: numbers[Int(sample.description)])
            }
            let clock = tracks[track].clock
            if let time = place(moved, track) {
                let form = numbers[Int(sample.description)]
                guard tracks[track].made.forms[form].holds(Int(sample.size)) else { throw .tooLarge }
                let slot = Self.slot(of: time)
                if let known = open, known.slot != slot || known.run.size >= Self.largestRun {
                    close(known, source.samples, timescale: source.timescale, numbers)
                    open = nil
                }
                var run =
                    open
                    ?? Timed(
                        slot: slot, time: time,
                        run: TransportLayout.Run(
                            track: track, segment: segment, samples: Int32(index)..<Int32(index),
                            offset: offset, shift: ticks, clock: clock, lastForm: tracks[track].lastForm))
                run.run.samples = run.run.samples.lowerBound..<Int32(index) + 1
                run.run.size = offset + Int(sample.size) - run.run.offset
                tracks[track].lastForm = form
                open = run
            }
            offset += Int(sample.size)
        }
        if let open { close(open, source.samples, timescale: source.timescale, numbers) }
    }

    /// The number of the block in which a time lies, in ticks of 90 kHz.
    private static func slot(of time: Int64) -> Int64 {
        time >= 0 ? time / length : (time + 1) / length - 1
    }

    /// Adds silence to a track.
    private mutating func fill(
        _ filling: ArraySlice<MediaSample>, _ silence: SilentFrame, in track: Int, form: Int
    ) throws(MovieLayoutError) {
        samples += filling.count
        guard samples <= mostSamples else { throw .tooLarge }
        let made = tracks[track].made
        var rest = filling
        while let first = rest.first {
            let time = made.ticks(first.decodeTime)
            let slot = Self.slot(of: time)
            let part = rest.prefix { Self.slot(of: made.ticks($0.decodeTime)) == slot }
            guard let last = part.last else { return }
            rest = rest.dropFirst(part.count)
            let range = first.decodeTime..<last.decodeTime + Int64(last.duration)
            var run = TransportLayout.Run(
                track: track, segment: -1, samples: 0..<Int32(part.count), offset: 0, shift: 0,
                clock: tracks[track].clock, lastForm: tracks[track].lastForm)
            run.silence = TransportLayout.Silence(form: form, range: range)
            run.size = part.count * silence.bytes.count
            let frames = silence.samples(part.count, in: range, timescale: made.output.timescale)
            for frame in frames { _ = place(frame, track) }
            tracks[track].lastForm = form
            close(Timed(slot: slot, time: time, run: run), frames, timescale: made.output.timescale, [form])
        }
    }

    /// Notes the times of a sample.
    ///
    /// - Returns: the decode time in ticks of 90 kHz; `nil` if the sample is left out.
    private mutating func place(_ sample: MediaSample, _ track: Int) -> Int64? {
        let made = tracks[track].made
        guard let sample = tracks[track].clock.place(sample, isSound: made.isSound) else { return nil }
        let time = made.ticks(sample.decodeTime)
        let shown = made.ticks(sample.decodeTime + Int64(sample.presentationOffset))
        let end = shown &+ made.ticks(Int64(sample.duration))
        if !made.isSound { tracks[track].made.lead = max(made.lead, time &- shown) }
        tracks[track].firstTime = min(tracks[track].firstTime, time, shown)
        let known = tracks[track].presented ?? (shown, end)
        tracks[track].presented = (min(known.start, shown), max(known.end, end))
        return time
    }

    private mutating func close(
        _ timed: Timed, _ samples: [MediaSample], timescale: UInt32, _ numbers: [Int]
    ) {
        var timed = timed
        let track = tracks[timed.run.track].made
        let units = track.units(of: timed.run, in: samples, timescale: timescale, numbers: numbers)
        timed.run.packets = units.reduce(0) { $0 + track.packets(of: $1) }
        list.append(timed)
    }

    /// The index of the form of each description of a segment. New forms are added to the track.
    private mutating func numbers(
        of source: SampleIndex.Track, _ track: Int, _ segment: Int
    ) throws(MovieLayoutError) -> [Int] {
        var numbers: [Int] = []
        for description in source.descriptions {
            let known = tracks[track].made.output.descriptions
            if let index = known.firstIndex(where: { $0.entry == description.entry }) {
                numbers.append(index)
                continue
            }
            guard let form = StreamForm(description) else {
                throw .unsupportedCodec(segment: segment, codec: description.codec)
            }
            if let first = tracks[track].made.forms.first, first.type != form.type {
                throw .codecChanges(segment: segment, from: known[0].codec, to: description.codec)
            }
            guard known.count < 1000 else { throw .tooLarge }
            numbers.append(known.count)
            tracks[track].made.output.descriptions.append(description)
            tracks[track].made.forms.append(form)
        }
        return numbers
    }
}

// MARK: - The file

extension TransportLayoutBuilder {
    /// The layout of the file.
    ///
    /// - Throws: `empty` without a sample.
    public func layout() throws(MovieLayoutError) -> TransportLayout {
        guard !list.isEmpty else { throw .empty }
        var made = tracks.map(\.made)
        var kinds: [UInt8: UInt8] = [:]
        for index in made.indices {
            guard let kind = made[index].forms.first?.packetKind else { continue }
            // All private streams have the same stream_id. Those of video and of audio are numbered.
            let counted = kind == 0xBD ? 0 : kinds[kind, default: 0]
            made[index].packetKind = kind + min(counted, kind == 0xE0 ? 15 : 31)
            kinds[kind, default: 0] += 1
        }
        let streams = made.compactMap { track in
            track.forms.first.map {
                ProgramWriter.Stream(form: $0, number: track.stream, language: track.output.language)
            }
        }
        guard let map = ProgramWriter.map(streams) else { throw .tooLarge }
        let (runs, blocks) = blocks(map)
        let origin = tracks.filter { $0.firstTime < .max }.map { $0.firstTime &- $0.made.lead }.min() ?? 0
        let start = tracks.compactMap { $0.presented?.start }.min() ?? 0
        let end = tracks.compactMap { $0.presented?.end }.max() ?? 0
        return TransportLayout(
            blocks: blocks, runs: runs, trackList: made, map: map, origin: origin,
            duration: Double(end &- start) / 90_000)
    }

    /// Sorts the runs by time, and divides them into blocks, each of which begins with the tables.
    private func blocks(_ map: [UInt8]) -> ([TransportLayout.Run], [TransportLayout.Block]) {
        let sorted = list.sorted { ($0.slot, $0.time, $0.run.track) < ($1.slot, $1.time, $1.run.track) }
        var (runs, blocks) = (sorted.map(\.run), [TransportLayout.Block]())
        var counters = [UInt8](repeating: 0, count: tracks.count)
        let tables = 1 + PacketWriter.packets(ofTable: map)
        var (first, packets, offset) = (0, tables, UInt64(0))
        for index in runs.indices {
            let isNew = index > first && sorted[index].slot != sorted[index - 1].slot
            if isNew || packets * TransportPacket.size >= Self.largestBlock {
                let length = packets * TransportPacket.size
                blocks.append(.init(offset: offset, length: length, runs: first..<index))
                (first, packets, offset) = (index, tables, offset + UInt64(length))
            }
            runs[index].counter = counters[runs[index].track]
            counters[runs[index].track] &+= UInt8(truncatingIfNeeded: runs[index].packets)
            counters[runs[index].track] &= 0xF
            packets += runs[index].packets
        }
        blocks.append(.init(offset: offset, length: packets * TransportPacket.size, runs: first..<runs.count))
        return (runs, blocks)
    }
}
