/// A frame of AAC-LC in which nothing sounds (ISO/IEC 14496-3, section 4.4.2.1), for time in which sound is missing.
///
/// It has no coefficients: the sections of all its channels are empty.
struct SilentFrame: Sendable {
    let bytes: [UInt8]
    private let rate: Int64

    private static let samples: Int64 = 1024
    /// Frames that a gap is filled with at most: some 12 hours.
    private static let most: Int64 = 1 << 21
    /// The elements of a frame, by the number of its channels: one channel, two, and low frequencies.
    private static let elements: [[Element]] = [
        [], [.single], [.pair], [.single, .pair], [.single, .pair, .single], [.single, .pair, .pair],
        [.single, .pair, .pair, .low], [.single, .pair, .pair, .pair, .low],
    ]

    private enum Element: Int {
        case single = 0
        case pair = 1
        case low = 3
    }

    /// - Returns: `nil` for codecs that have no such frames, among them AAC with SBR.
    init?(_ description: SampleDescription) {
        guard description.entry.dropFirst(4).starts(with: "mp4a".utf8),
            let box = SampleEntryHead(description.entry, .audio).boxes.first(where: { $0.name == "esds" }),
            let decoder = DecoderDescriptor(Array(description.entry[box.content])), decoder.object == 0x40
        else { return nil }
        var reader = BitReader(decoder.configuration)
        guard let aac = AACConfiguration(&reader), aac.object == 2, aac.namedObject == 2,
            aac.frameSamples == 1024, Self.elements.indices.contains(aac.channelNumber), aac.channelNumber > 0
        else { return nil }
        rate = Int64(aac.rate)
        var bits = BitWriter()
        var tags: [Element: Int] = [:]
        for element in Self.elements[aac.channelNumber] {
            bits.put(element.rawValue, 3)
            bits.put(tags[element, default: 0], 4)
            tags[element, default: 0] += 1
            Self.write(element, &bits)
        }
        bits.put(7, 3)
        bytes = bits.bytes
    }

    private static func write(_ element: Element, _ bits: inout BitWriter) {
        let isPair = element == .pair
        if isPair {
            bits.put(1, 1)
            write(windows: &bits)
            // No channel refers to the other.
            bits.put(0, 2)
        }
        for _ in 0..<(isPair ? 2 : 1) {
            bits.put(0, 8)
            if !isPair { write(windows: &bits) }
            // No pulses, no shaping of noise, no gain control.
            bits.put(0, 3)
        }
    }

    /// One long window without a single band.
    private static func write(windows bits: inout BitWriter) { bits.put(0, 1 + 2 + 1 + 6 + 1) }

    /// The frames that fill the time before sound that goes on later than it should.
    func samples(after clock: SampleClock, before sample: MediaSample, timescale: UInt32) -> [MediaSample] {
        clock.gap(before: sample).map { samples(in: $0, timescale: timescale) } ?? []
    }

    /// The frames that have a place between the end of sound and sound that goes on later, without gaps between them.
    ///
    /// - Parameters:
    ///   - range: the time without sound, in ticks.
    ///   - timescale: ticks per second.
    /// - Returns: none for less than a frame, and for more than a stream has.
    private func samples(in range: Range<Int64>, timescale: UInt32) -> [MediaSample] {
        samples(count(in: range, timescale: timescale), in: range, timescale: timescale)
    }

    /// Whether a frame has a place in a range of ticks.
    func fits(in range: Range<Int64>, timescale: UInt32) -> Bool {
        count(in: range, timescale: timescale) > 0
    }

    private func count(in range: Range<Int64>, timescale: UInt32) -> Int {
        let length = range.upperBound &- range.lowerBound
        guard length > 0, length / Int64(timescale) < Self.most * Self.samples / rate else { return 0 }
        return Int(length * rate / (Self.samples * Int64(timescale)))
    }

    /// So many frames from the beginning of a range on, of which the last one ends with it.
    func samples(_ count: Int, in range: Range<Int64>, timescale: UInt32) -> [MediaSample] {
        let length = range.upperBound &- range.lowerBound
        return (0..<Int64(count)).map { index in
            let start = time(index, timescale)
            let end = index + 1 < count ? time(index + 1, timescale) : length
            return MediaSample(
                decodeTime: range.lowerBound + start, duration: UInt32(clamping: end - start),
                size: UInt32(bytes.count), isSync: true)
        }
    }

    private func time(_ frame: Int64, _ timescale: UInt32) -> Int64 {
        frame * Self.samples * Int64(timescale) / rate
    }
}

extension SampleIndex.Track {
    /// The silence that fills gaps in its sound, by its descriptions.
    var silences: [SilentFrame?] {
        descriptions.map { kind == .audio ? SilentFrame($0) : nil }
    }
}
