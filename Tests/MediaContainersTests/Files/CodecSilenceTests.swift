import Testing

@testable import MediaContainers

@Suite("A silent frame of AAC") struct CodecSilenceTests {
    private func description(
        object: Int = 2, rate: Int = 3, channels: Int = 2, elements: ProgramElements? = nil, named: Int? = nil
    ) throws -> SampleDescription {
        try #require(
            AACConfiguration(
                object: object, rateIndex: rate, configuration: channels, elements: elements, named: named)
        ).description
    }

    private func bytes(_ fields: [(Int, Int)]) -> [UInt8] {
        var bits = BitWriter()
        for (value, count) in fields { bits.put(value, count) }
        return bits.bytes
    }

    @Test("has an empty element for each of its channels and pairs, and an end")
    func elements() throws {
        // The kind and the number of an element; those of a pair share one window.
        let (single, pair, second) = ([(0, 7), (0, 22)], [(0x21, 8), (0, 35)], [(0x23, 8), (0, 35)])
        let (other, third, low) = ([(1, 7), (0, 22)], [(0x25, 8), (0, 35)], [(0x30, 7), (0, 22)])
        let frames: [Int: [(Int, Int)]] = [
            1: single, 2: pair, 3: single + pair, 4: single + pair + other, 5: single + pair + second,
            6: single + pair + second + low, 7: single + pair + second + third + low,
        ]
        for (channels, fields) in frames {
            let frame = try #require(try SilentFrame(description(channels: channels)))
            #expect(frame.bytes == bytes(fields + [(7, 3)]), "\(channels)")
        }
        #expect(try SilentFrame(description(channels: 1))?.bytes == [0, 0, 0, 7])
        #expect(try SilentFrame(description())?.bytes == [0x21, 0, 0, 0, 0, 0x1C])
    }

    @Test("is not made where an element or a later number tells the channels", arguments: [11, 12, 13, 14])
    func channels(number: Int) throws {
        #expect(try SilentFrame(description(channels: number)) == nil)
        // One channel of AAC-LC at 48 kHz in front.
        let fields = [
            (0, 4), (1, 2), (3, 4), (1, 4), (0, 4), (0, 4), (0, 2), (0, 3), (0, 4), (0, 3), (0, 5), (0, 16),
        ]
        var reader = BitReader(bytes(fields))
        let element = ProgramElements(&reader, base: 0)
        let told = try description(channels: 0, elements: element)
        #expect(told.shape == .audio(sampleRate: 48_000, channels: 1))
        #expect(SilentFrame(told) == nil)
    }

    @Test("is not made for other kinds of AAC, shorter frames, SBR, or other codecs")
    func others() throws {
        for object in [1, 3, 4] { #expect(try SilentFrame(description(object: object)) == nil) }
        for named in [5, 29] { #expect(try SilentFrame(description(rate: 6, named: named)) == nil) }
        var reader = BitReader([0x11, 0x94])
        let made = AACConfiguration(&reader)
        let short = try #require(made)
        #expect(short.frameSamples == 960 && SilentFrame(short.description) == nil)
        var renamed = try description()
        renamed.entry.replaceSubrange(4..<8, with: "mp4b".utf8)
        #expect(SilentFrame(renamed) == nil)
        renamed.entry = []
        #expect(SilentFrame(renamed) == nil)
        var writer = ByteWriter()
        writer.soundEntry("mp4a", SoundFormat(rate: 48_000, channels: 2, key: 0)) {
            // The configuration of AAC, but the type of MP3.
            $0.elementaryDescriptor(object: 0x6B, configuration: [0x11, 0x90])
        }
        renamed.entry = writer.bytes
        #expect(SilentFrame(renamed) == nil)
    }

    @Test("is repeated without gaps, and the last one ends with the missing time")
    func samples() throws {
        let frame = try #require(try SilentFrame(description()))
        let whole = frame.samples(3, in: 100..<3172, timescale: 48_000)
        #expect(whole.map(\.decodeTime) == [100, 1124, 2148] && whole.map(\.duration) == [1024, 1024, 1024])
        #expect(whole.allSatisfy { $0.isSync && $0.size == 6 && $0.description == 0 })
        // A frame takes 1920 ticks of 90 kHz.
        let longer = frame.samples(2, in: -10..<4000, timescale: 90_000)
        #expect(longer.map(\.decodeTime) == [-10, 1910] && longer.map(\.duration) == [1920, 2090])
        #expect(frame.samples(0, in: 0..<5, timescale: 48_000).isEmpty)
    }
}
