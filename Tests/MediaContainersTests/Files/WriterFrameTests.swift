import Testing

@testable import MediaContainers

/// A configuration of AAC at 48 kHz.
private func configuration(object: Int = 2, channels: Int = 2, isShort: Bool = false) -> [UInt8] {
    bits([(object, 5), (3, 4), (channels, 4), (isShort ? 1 : 0, 1), (0, 2)])
}

private func bits(_ numbers: [(value: Int, count: Int)]) -> [UInt8] {
    var writer = BitWriter()
    for number in numbers { writer.put(number.value, number.count) }
    return writer.bytes
}

@Suite("Headers that are written before frames of AAC")
struct WriterFrameTests {
    private func written(_ configuration: [UInt8], _ frame: [UInt8] = [0x20, 7, 7]) throws -> [UInt8] {
        let form = try #require(ADTSForm(configuration))
        var payload: [UInt8] = []
        form.write(frame[...], to: &payload)
        return payload
    }

    @Test("tell the object type less one, and the length with the header", arguments: 1...4)
    func objects(_ object: Int) throws {
        let bytes = try written(configuration(object: object))
        let profile = UInt8(object - 1) << 6
        #expect(bytes == [0xFF, 0xF1, profile | 0x0C, 0x80, 1, 0x5F, 0xFC, 0x20, 7, 7])
    }

    @Test("tell the number for the channels", arguments: 1...7)
    func channels(_ number: Int) throws {
        let bytes = try written(configuration(channels: number))
        #expect(bytes[2] == 0x4C | UInt8(number >> 2) && bytes[3] == UInt8(number & 3) << 6)
    }

    @Test("tell a length of 13 bits", arguments: [7, 2048, 8191])
    func lengths(_ length: Int) throws {
        let bytes = try written(configuration(), [UInt8](repeating: 0x20, count: length - 7))
        #expect(bytes.count == length)
        #expect(Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5) == length)
        #expect(bytes[3] & 0xFC == 0x80 && bytes[5] & 0x1F == 0x1F && bytes[6] == 0xFC)
    }

    @Test("tell the rate by its number, for SBR that of the core")
    func rates() throws {
        let explicit = bits([(2, 5), (15, 4), (48_000, 24), (2, 4), (0, 3)])
        #expect(try written(explicit) == written(configuration()))
        // SBR: 24 kHz and two channels, extended to 48 kHz.
        let extended = bits([(5, 5), (6, 4), (2, 4), (3, 4), (2, 5), (0, 3)])
        #expect(try written(extended)[2] == 0x58)
    }

    @Test("are not written for what they can't tell")
    func refused() {
        #expect(ADTSForm([]) == nil && ADTSForm(Array(configuration().dropLast())) == nil)
        #expect(ADTSForm(configuration(isShort: true)) == nil)
        // Number 11 stands for seven channels.
        #expect(ADTSForm(configuration(channels: 11)) == nil)
        #expect(ADTSForm(configuration(object: 6)) == nil)
        #expect(ADTSForm(bits([(2, 5), (15, 4), (47_000, 24), (2, 4), (0, 3)])) == nil)
    }
}

@Suite("Descriptions of sound for a transport stream")
struct WriterStreamTypeTests {
    private func streamType(_ object: Int, _ configuration: [UInt8]) -> UInt8? {
        var writer = ByteWriter()
        writer.soundEntry("mp4a", SoundFormat(rate: 48_000, channels: 2, key: 0)) {
            $0.elementaryDescriptor(object: object, configuration: configuration)
        }
        let shape = SampleDescription.Shape.audio(sampleRate: 48_000, channels: 2)
        return SampleDescription(entry: writer.bytes, codec: "mp4a", shape: shape).transportStreamType
    }

    @Test(
        "have the type of stream of AAC, or of MPEG audio, by their object type",
        arguments: [
            (0x40, 0x0F), (0x65, nil), (0x66, 0x0F), (0x67, 0x0F), (0x68, 0x0F), (0x69, 4), (0x6A, nil),
            (0x6B, 3), (0x6C, nil),
        ] as [(Int, UInt8?)])
    func objects(_ object: Int, expected: UInt8?) {
        #expect(streamType(object, configuration()) == expected)
    }

    @Test("have none where frames have 960 samples, or no configuration")
    func refused() {
        #expect(streamType(0x40, configuration(isShort: true)) == nil && streamType(0x40, []) == nil)
        #expect(streamType(0x6B, []) == 3)
        #expect(MadeMedia.audio.transportStreamType == nil)
    }
}
