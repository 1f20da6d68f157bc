/// AAC in LOAS frames with LATM inside (ISO/IEC 14496-3, section 1.7).
struct LATM: Sendable {
    /// The parameters of the last `StreamMuxConfig`.
    private struct Mux: Sendable {
        let configuration: AACConfiguration
        let subframes: Int
    }

    private var mux: Mux?

    mutating func look(_ data: [UInt8], at place: Int) -> SoundLook {
        guard place + 3 <= data.count else { return .partial }
        guard data[place] == 0x56, data[place + 1] & 0xE0 == 0xE0 else { return .nothing }
        let length = 3 + (Int(data[place + 1] & 0x1F) << 8 | Int(data[place + 2]))
        guard length > 3 else { return .nothing }
        guard place + length <= data.count else { return .partial }
        var reader = BitReader(data[place + 3..<place + length])
        guard let payloads = element(&reader), let configuration = mux?.configuration else { return .nothing }
        return .frame(
            SoundFrame(
                length: length, payloads: payloads, samples: configuration.frameSamples,
                format: SoundFormat(
                    rate: configuration.rate, channels: configuration.channels,
                    key: configuration.bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFF_FFFF })))
    }

    func description(of frame: SoundFrame) -> SampleDescription? { mux?.configuration.description }

    /// Reads an `AudioMuxElement` (table 1.41).
    private mutating func element(_ reader: inout BitReader) -> [ArraySlice<UInt8>]? {
        if !reader.flag() {
            guard let next = Self.readMux(&reader) else { return nil }
            mux = next
        }
        guard let mux else { return nil }
        var payloads: [ArraySlice<UInt8>] = []
        for _ in 0..<mux.subframes {
            var (length, step) = (0, 255)
            while step == 255, !reader.isOverrun {
                step = reader.bits(8)
                length += step
            }
            guard length * 8 <= reader.bitsLeft else { return nil }
            payloads.append((0..<length).map { _ in UInt8(reader.bits(8)) }[...])
        }
        return payloads.isEmpty || reader.isOverrun ? nil : payloads
    }

    /// Reads a `StreamMuxConfig` with one program of one layer (table 1.42).
    private static func readMux(_ reader: inout BitReader) -> Mux? {
        let version = reader.bits(1)
        if version == 1 {
            guard !reader.flag() else { return nil }
            _ = number(&reader)
        }
        // All streams have the same framing; programs and layers are counted from 0.
        guard reader.flag() else { return nil }
        let subframes = reader.bits(6) + 1
        guard reader.bits(4) == 0, reader.bits(3) == 0 else { return nil }
        guard let configuration = configuration(&reader, version: version), reader.bits(3) == 0 else {
            return nil
        }
        reader.skip(8)
        if reader.flag() { skipLengthOfOtherData(&reader, version: version) }
        if reader.flag() { reader.skip(8) }
        guard !reader.isOverrun else { return nil }
        return Mux(configuration: configuration, subframes: subframes)
    }

    private static func configuration(_ reader: inout BitReader, version: Int) -> AACConfiguration? {
        guard version == 1 else { return AACConfiguration(&reader) }
        let length = number(&reader)
        let start = reader.position
        guard let configuration = AACConfiguration(&reader), reader.position - start <= length else {
            return nil
        }
        reader.skip(length - (reader.position - start))
        return configuration
    }

    /// A number with its length in bytes before it (`LatmGetValue`).
    private static func number(_ reader: inout BitReader) -> Int {
        let count = reader.bits(2) + 1
        return reader.bits(8 * count)
    }

    /// Skips the length of data that is not sound (`otherDataLenBits`).
    private static func skipLengthOfOtherData(_ reader: inout BitReader, version: Int) {
        guard version == 0 else { return _ = number(&reader) }
        var goesOn = true
        while goesOn, !reader.isOverrun {
            goesOn = reader.flag()
            reader.skip(8)
        }
    }
}
