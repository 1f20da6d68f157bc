/// Reads the samples of packed audio (RFC 8216bis, section 3.4), segment by segment: AAC in ADTS frames, MPEG audio, AC-3 and
/// E-AC-3.
///
/// ```swift
/// var reader = PackedSamples()
/// let track = try reader.read(segment)
/// ```
public struct PackedSamples: Sendable {
    /// The object type of AAC with SBR or PS that a playlist's CODECS names: 5 or 29. Frames do not tell it.
    public var namedSoundObject: Int?

    private var memory: SoundMemory?
    private var clock: StampClock
    /// A frame that the last segment cut.
    private var rest: ElementaryStream?

    /// Makes a reader for the first segment.
    ///
    /// - Parameter time: a time, in ticks of 90 kHz, near which time stamps are unwrapped; `nil` takes the first
    ///   unchanged.
    public init(near time: Int64? = nil) { clock = StampClock(near: time) }

    /// Reads a whole segment.
    ///
    /// A segment without a time stamp continues the one before; the first begins at 0.
    ///
    /// - Returns: its track, which has the number 0.
    public mutating func read(_ bytes: [UInt8]) throws(SampleError) -> TrackSamples {
        let (start, stamp) = ID3Timestamp.read(bytes)
        var stream = ElementaryStream()
        var known = memory
        if let rest, stamp == nil, var codec = known?.codec, case .nothing = codec.look(bytes, at: start) {
            stream = rest
        } else if known.map({ !Self.isFrame(of: $0.codec, in: bytes, at: start) }) ?? true {
            guard let codec = codec(of: bytes, from: start) else { throw .unknownContainer }
            known = SoundMemory(codec: codec, next: known?.next)
        }
        guard let known else { throw .unknownContainer }
        if let time = stamp.map({ clock.unwrap($0) }) ?? (known.next == nil ? clock.last ?? 0 : nil) {
            stream.marks.append(ElementaryStream.Mark(offset: stream.data.count, presentation: time))
        }
        stream.data += bytes[start...]
        var sampler = SoundSampler(stream, after: known, number: 0)
        let (track, next, rest) = try sampler.samples()
        guard !track.samples.isEmpty else { throw .malformed(offset: start, reason: "no frame is whole") }
        (memory, self.rest) = (next, rest.flatMap { $0.data.count <= Self.largestRest ? $0 : nil })
        return track
    }

    /// The largest frame that is kept for the next segment.
    private static let largestRest = 1 << 16

    /// Whether a frame of a codec is at this position.
    private static func isFrame(of codec: SoundCodec, in bytes: [UInt8], at place: Int) -> Bool {
        var codec = codec
        guard case .frame = codec.look(bytes, at: place) else { return false }
        return true
    }

    /// The largest number of bytes before the first frame that may be the rest of another one.
    private static let longestRest = 8192

    /// The codec of two consecutive frames near the beginning, or of one that ends with the bytes.
    private func codec(of bytes: [UInt8], from start: Int) -> SoundCodec? {
        let codecs: [SoundCodec] = [.adts(ADTS(namedObject: namedSoundObject)), .dolby, .mpeg]
        for place in start..<max(start, min(bytes.count, start + Self.longestRest)) {
            guard bytes[place] == 0xFF || bytes[place] == 0x0B else { continue }
            for codec in codecs {
                var trial = codec
                guard case .frame(let frame) = trial.look(bytes, at: place) else { continue }
                let end = place + frame.length
                if end == bytes.count || Self.isFrame(of: codec, in: bytes, at: end) { return codec }
            }
        }
        return nil
    }
}
