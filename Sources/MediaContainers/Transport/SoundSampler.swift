/// The data that sound of one stream needs of the segments before.
struct SoundMemory: Sendable {
    var codec: SoundCodec
    /// The expected time of the next sample, in ticks of its rate.
    var next: (time: Int64, rate: Int)?
}

/// Makes samples of the frames of a stream of sound.
struct SoundSampler {
    private var memory: SoundMemory
    private let stream: ElementaryStream
    private var cursor: MarkCursor
    private var track: TrackSamples
    private var formats: [SoundFormat] = []
    private var isInStep = false
    /// Bytes that are looked at where frames do not follow each other: chance makes few of them look like frames.
    private var trials: Int
    /// Whether a start time is known, after which samples follow each other.
    private var hasTime = false
    private var next: Int64 = 0
    /// The first sample behind bytes that are lacking: the next time stamp tells where it and those behind it belong.
    private var unplaced: Int?
    /// The index of the next gap in the stream.
    private var nextBreak = 0

    init(_ stream: ElementaryStream, after memory: SoundMemory, number: Int) {
        (self.stream, self.memory) = (stream, memory)
        cursor = MarkCursor(stream)
        trials = 16 * stream.data.count + 1 << 20
        track = TrackSamples(number: number, timescale: 0)
    }

    /// The samples of all complete frames, and the state for the next segment.
    ///
    /// - Returns: also the bytes of a frame that ends in the next segment.
    mutating func samples() throws(SampleError) -> (
        track: TrackSamples, memory: SoundMemory, rest: ElementaryStream?
    ) {
        track.bytes.reserveCapacity(stream.data.count)
        var (place, rest) = (0, ElementaryStream?.none)
        scan: while place < stream.data.count, trials > 0 {
            switch memory.codec.look(stream.data, at: place) {
            case .frame(let frame) where isInStep || isFollowed(frame, at: place):
                let lack = stream.firstBreak(in: place + 1..<place + frame.length)
                try take(frame, at: place, isWhole: lack == nil)
                place = lack ?? place + frame.length
                isInStep = lack == nil
            case .partial where isInStep || place == 0 || stream.hasMark(at: place):
                rest = stream.rest(from: place, mark: cursor.mark(upTo: place))
                break scan
            default:
                isInStep = false
                place = nextPlace(after: place)
            }
        }
        finish()
        return (track, memory, rest)
    }

    /// A place behind which a frame may begin: bytes of all codecs begin with one of four values.
    private func nextPlace(after place: Int) -> Int {
        let rest = stream.data[(place + 1)...]
        let next = rest.firstIndex { $0 == 0xFF || $0 == 0x0B || $0 == 0x56 || $0 == 0x7F }
        return next ?? stream.data.count
    }

    /// Whether the frame is followed by another one of the same kind, or by the end.
    private mutating func isFollowed(_ frame: SoundFrame, at place: Int) -> Bool {
        trials -= frame.length
        let end = place + frame.length
        guard end < stream.data.count else { return true }
        switch memory.codec.look(stream.data, at: end) {
        case .frame(let other): return other.format.rate == frame.format.rate
        case .partial: return true
        case .nothing: return stream.hasMark(at: place)
        }
    }
}

// MARK: - Times

extension SoundSampler {
    /// Takes a frame; a frame with missing bytes is dropped.
    private mutating func take(_ frame: SoundFrame, at place: Int, isWhole: Bool) throws(SampleError) {
        let mark = cursor.mark(upTo: place)
        passBreaks(upTo: place)
        guard isWhole else { return }
        guard let description = try description(of: frame) else { return }
        let duration = Int64(frame.samples) * Int64(track.timescale) / Int64(frame.format.rate)
        if let mark { setTime(mark.presentation, duration) } else if !hasTime { setExpectedTime() }
        guard hasTime else { return }
        for payload in frame.payloads {
            append(payload, duration: duration, description: description)
            next += duration
        }
    }

    private mutating func passBreaks(upTo place: Int) {
        while nextBreak < stream.breaks.count, stream.breaks[nextBreak] <= place {
            nextBreak += 1
            unplaced = unplaced ?? track.samples.count
        }
    }

    private mutating func append(_ payload: ArraySlice<UInt8>, duration: Int64, description: UInt8) {
        // Repeated audio is dropped in whole frames.
        if let last = track.samples.last, next <= last.decodeTime { return }
        track.samples.append(
            MediaSample(
                decodeTime: next, duration: UInt32(clamping: duration), size: UInt32(clamping: payload.count),
                isSync: true, description: description))
        track.bytes.append(contentsOf: payload)
    }

    /// The index of a frame's description, which is made when it is the first of its kind.
    private mutating func description(of frame: SoundFrame) throws(SampleError) -> UInt8? {
        if let index = formats.firstIndex(of: frame.format) { return UInt8(index) }
        guard let description = memory.codec.description(of: frame) else { return nil }
        guard formats.count < 255 else { throw .tooLarge }
        if formats.isEmpty { track.timescale = UInt32(clamping: frame.format.rate) }
        formats.append(frame.format)
        track.descriptions.append(description)
        return UInt8(formats.count - 1)
    }

    /// Sets the time of the next sample. It is the expected time, unless the time stamp differs from it by more than half
    /// a sample.
    private mutating func setTime(_ presentation: Int64, _ duration: Int64) {
        let told = Self.scaled(presentation, to: Int64(track.timescale))
        place(before: told)
        if !hasTime, let expected = memory.next, expected.rate == Int(track.timescale) {
            next = expected.time
            // Multiplexers round times, some to milliseconds; other differences count at the beginning of a segment.
            hasTime = abs(told - next) <= Int64(track.timescale) / 1000
        }
        // A time stamp that is more than some seconds back is not that of this audio.
        let isBehind = hasTime && told < next - 10 * Int64(track.timescale)
        if !hasTime || abs(told - next) > duration / 2 && !isBehind { next = told }
        hasTime = true
    }

    /// Moves samples behind bytes that are lacking so that they end at a time.
    private mutating func place(before told: Int64) {
        guard let first = unplaced else { return }
        unplaced = nil
        guard told > next else { return }
        for index in first..<track.samples.count { track.samples[index].decodeTime += told - next }
        next = told
    }

    private mutating func setExpectedTime() {
        guard let expected = memory.next, expected.rate == Int(track.timescale) else { return }
        (next, hasTime) = (expected.time, true)
    }

    /// Ticks of 90 kHz in ticks of another clock, rounded.
    static func scaled(_ ticks: Int64, to rate: Int64) -> Int64 {
        let (quotient, rest) = ticks.quotientAndRemainder(dividingBy: 90_000)
        return quotient * rate + (rest * rate + (rest < 0 ? -45_000 : 45_000)) / 90_000
    }

    private mutating func finish() {
        passBreaks(upTo: stream.data.count)
        if let first = unplaced, first < track.samples.count {
            // The time of these samples is unknown.
            track.bytes.removeLast(track.samples[first...].reduce(0) { $0 + Int($1.size) })
            track.samples.removeSubrange(first...)
        }
        for index in track.samples.indices.dropLast() {
            let distance = track.samples[index + 1].decodeTime - track.samples[index].decodeTime
            track.samples[index].duration = UInt32(clamping: distance)
        }
        // If no frame ended, the expected time stays as it was.
        guard hasTime || unplaced != nil || !formats.isEmpty else { return }
        memory.next = hasTime && unplaced == nil ? (next, Int(track.timescale)) : nil
    }
}
