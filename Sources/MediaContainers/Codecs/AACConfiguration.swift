/// The `AudioSpecificConfig` of AAC (ISO/IEC 14496-3, section 1.6.2.1).
struct AACConfiguration: Sendable, Equatable {
    /// The audio object type: 2 is AAC-LC.
    var object: Int
    var rate: Int
    var channels: Int
    /// The number that stands for the channels; 0 where a program configuration element tells.
    var channelNumber: Int
    /// That element.
    private(set) var elements: ProgramElements?
    /// Samples of a frame: 1024 or 960.
    var frameSamples = 1024
    /// The configuration's bytes for decoders.
    var bytes: [UInt8] = []
    /// The object that CODECS names: 5 and 29 with SBR and PS.
    var namedObject: Int

    static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    /// The channels of a configuration number; 0 where a program configuration element tells.
    static func channels(_ configuration: Int) -> Int {
        let known = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8]
        return known.indices.contains(configuration) ? known[configuration] : 0
    }

    /// Reads a configuration of unknown length at a reader's position.
    ///
    /// - Returns: `nil` if it is invalid, or of a codec other than AAC.
    init?(_ reader: inout BitReader) {
        let start = reader
        var object = Self.object(&reader)
        guard let rate = Self.rate(&reader) else { return nil }
        let configuration = reader.bits(4)
        namedObject = object
        if object == 5 || object == 29 {
            // The rate of the extension; the core's configuration follows.
            guard Self.rate(&reader) != nil else { return nil }
            object = Self.object(&reader)
        }
        guard [1, 2, 3, 4].contains(object) else { return nil }
        (self.object, self.rate) = (object, rate)
        (channelNumber, channels) = (configuration, Self.channels(configuration))
        frameSamples = reader.flag() ? 960 : 1024
        if reader.flag() { reader.skip(14) }
        reader.skip(1)
        if configuration == 0 {
            elements = ProgramElements(&reader, base: start.position)
            channels = elements?.channels ?? 0
        }
        guard !reader.isOverrun, channels > 0, (1...192_000).contains(rate) else { return nil }
        bytes = Self.copy(start, upTo: reader.position)
    }

    /// The configuration of frames whose headers tell everything but SBR and PS.
    ///
    /// - Parameters:
    ///   - elements: the program configuration element where the channel configuration is 0.
    ///   - named: the object that the playlist's CODECS names.
    init?(object: Int, rateIndex: Int, configuration: Int, elements: ProgramElements?, named: Int?) {
        guard Self.rates.indices.contains(rateIndex) else { return nil }
        (self.object, rate, namedObject) = (object, Self.rates[rateIndex], object)
        (channelNumber, self.elements) = (configuration, elements)
        channels = elements?.channels ?? Self.channels(configuration)
        guard channels > 0 else { return nil }
        var writer = BitWriter()
        // SBR does not double rates beyond 48 kHz: a CODECS attribute that claims so is wrong.
        let doubled = rate <= 24_000 ? Self.rates.firstIndex(of: 2 * rate) : nil
        if let named, [5, 29].contains(named), object == 2, let doubled, configuration > 0 {
            namedObject = named
            writer.put(named, 5)
            writer.put(rateIndex, 4)
            writer.put(configuration, 4)
            writer.put(doubled, 4)
            writer.put(object, 5)
        } else {
            writer.put(object, 5)
            writer.put(rateIndex, 4)
            writer.put(configuration, 4)
        }
        writer.put(0, 3)
        elements?.write(&writer)
        bytes = writer.bytes
    }

    private static func object(_ reader: inout BitReader) -> Int {
        let object = reader.bits(5)
        return object == 31 ? 32 + reader.bits(6) : object
    }

    private static func rate(_ reader: inout BitReader) -> Int? {
        let index = reader.bits(4)
        if index == 15 { return reader.bits(24) }
        return rates.indices.contains(index) ? rates[index] : nil
    }

    private static func copy(_ start: BitReader, upTo end: Int) -> [UInt8] {
        var (reader, writer) = (start, BitWriter())
        while reader.position < end { writer.put(reader.bits(1), 1) }
        return writer.bytes
    }

    /// The sample entry.
    var description: SampleDescription {
        var writer = ByteWriter()
        let format = SoundFormat(rate: rate, channels: channels, key: 0)
        writer.soundEntry("mp4a", format) {
            $0.elementaryDescriptor(object: 0x40, configuration: bytes)
        }
        return SampleDescription(
            entry: writer.bytes, codec: "mp4a.40.\(namedObject)",
            shape: .audio(sampleRate: rate, channels: channels))
    }
}

/// A program configuration element of AAC (ISO/IEC 14496-3, section 4.4.1.1).
struct ProgramElements: Sendable, Equatable {
    private(set) var channels = 0
    /// The bits up to the first alignment, and the bytes of the comment behind it.
    private var head: [Bool] = []
    private var comment: [UInt8] = []

    /// Reads an element behind its identifier.
    ///
    /// - Parameter base: the bit that alignment counts from.
    init?(_ reader: inout BitReader, base: Int) {
        let start = reader
        reader.skip(10)
        let counts = [4, 4, 4, 2, 3, 4].map { reader.bits($0) }
        for width in [4, 4, 3] where reader.flag() { reader.skip(width) }
        for _ in 0..<counts[0] + counts[1] + counts[2] {
            channels += reader.flag() ? 2 : 1
            reader.skip(4)
        }
        channels += counts[3]
        reader.skip(4 * (counts[3] + counts[4]) + 5 * counts[5])
        guard !reader.isOverrun else { return nil }
        var copy = start
        while copy.position < reader.position { head.append(copy.flag()) }
        reader.skip((base - reader.position) & 7)
        for _ in 0..<reader.bits(8) { comment.append(UInt8(reader.bits(8))) }
        guard !reader.isOverrun, channels > 0 else { return nil }
    }

    /// The element as a block of sound begins with it: behind its identifier, up to a whole byte.
    var block: [UInt8] {
        var writer = BitWriter()
        writer.put(5, 3)
        write(&writer)
        return writer.bytes
    }

    /// Appends the element; the writer began at an aligned place.
    func write(_ writer: inout BitWriter) {
        for bit in head { writer.put(bit) }
        writer.align()
        writer.put(comment.count, 8)
        for byte in comment { writer.put(Int(byte), 8) }
    }
}
