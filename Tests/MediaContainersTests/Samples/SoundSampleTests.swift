import Testing

@testable import MediaContainers

/// Sound that no encoder here makes, made by hand.
@Suite("Sound of other encoders") struct SoundSampleTests {
    private static func track(
        _ type: UInt8, _ units: [HandmadeStream.Unit], object: Int? = nil
    ) throws -> TrackSamples {
        let stream = HandmadeStream([HandmadeStream.Entry(type: type)], units)
        var reader = TransportSamples()
        reader.namedSoundObject = object
        return try #require(try reader.read(stream.bytes).first)
    }

    /// An ADTS frame of AAC-LC at 24 kHz.
    private static func adts(
        _ blocks: [[UInt8]], checksum: Bool = false, configuration: UInt8 = 2
    ) -> [UInt8] {
        let sums = checksum ? [UInt8](repeating: 0, count: 2 * (blocks.count - 1)) + [1, 2] : []
        let ends = blocks.dropLast().reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count + 2) }
            .dropFirst()
        let places = ends.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let content =
            blocks.count > 1 && checksum
            ? places + [1, 2] + blocks.flatMap { $0 + [3, 4] } : sums + blocks.flatMap { $0 }
        let length = 7 + content.count
        return [
            0xFF, checksum ? 0xF0 : 0xF1, 0x40 | 6 << 2 | configuration >> 2,
            configuration << 6 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF),
            UInt8(length & 7) << 5 | 0x1F,
            0xFC | UInt8(blocks.count - 1),
        ] + content
    }

    private static func block(_ seed: UInt8, _ length: Int = 40) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) ^ seed | 0x20 }
    }

    private static func payloads(_ track: TrackSamples) -> [[UInt8]] {
        var place = 0
        return track.samples.map { sample in
            defer { place += Int(sample.size) }
            return Array(track.bytes[place..<place + Int(sample.size)])
        }
    }

    @Test("checksums of ADTS are no part of samples, and each block is one", arguments: [false, true])
    func blocks(_ hasSeveral: Bool) throws {
        let blocks = (0..<6).map { Self.block(UInt8($0) * 16) }
        let frames =
            hasSeveral
            ? [
                Self.adts([blocks[0], blocks[1], blocks[2]], checksum: true),
                Self.adts(Array(blocks[3...]), checksum: true),
            ]
            : blocks.map { Self.adts([$0], checksum: true) }
        let track = try Self.track(
            0x0F, [HandmadeStream.Unit(presentation: 90_000, bytes: Array(frames.joined()))])
        #expect(Self.payloads(track) == blocks)
        #expect(track.samples.map(\.decodeTime) == (0..<6).map { 24_000 + 1024 * $0 })
    }

    @Test("what follows a PES packet with a broken header is left out until the next one begins")
    func brokenHeader() throws {
        let frames = (0..<3).map { Self.adts([Self.block(UInt8($0) * 16)]) }
        var stream = HandmadeStream([HandmadeStream.Entry(type: 0x0F)])
        stream.append(HandmadeStream.Unit(presentation: 90_000, bytes: frames[0]))
        stream.appendPacket(256, begins: true, [UInt8](repeating: 1, count: 184))
        stream.appendPacket(256, begins: false, frames[1])
        stream.append(HandmadeStream.Unit(presentation: 180_000, bytes: frames[2]))
        var reader = TransportSamples()
        let track = try #require(try reader.read(stream.bytes).first)
        #expect(Self.payloads(track) == [Self.block(0), Self.block(32)])
    }

    @Test("SBR and PS are signaled where CODECS names them", arguments: [nil, 5, 29])
    func extensions(_ object: Int?) throws {
        let bytes = Self.adts([Self.block(1)]) + Self.adts([Self.block(2)])
        let track = try Self.track(
            0x0F, [HandmadeStream.Unit(presentation: 90_000, bytes: bytes)], object: object)
        #expect(track.timescale == 24_000)
        #expect(track.descriptions[0].codec == "mp4a.40.\(object ?? 2)")
        // The object, the rate, two channels; with SBR the doubled rate and the object of the core.
        let configurations: [Int?: [UInt8]] = [
            nil: [0x13, 0x10], 5: [0x2B, 0x11, 0x88, 0x00], 29: [0xEB, 0x11, 0x88, 0x00],
        ]
        let expected = try #require(configurations[object])
        let entry = track.descriptions[0].entry
        let descriptor = [5, UInt8(expected.count)] + expected
        #expect(entry.indices.contains { entry[$0...].starts(with: descriptor) })
    }

    @Test("a program configuration element tells the channels where the header does not")
    func elements() throws {
        var bits = BitWriter()
        // The element: AAC-LC at 24 kHz, a pair in front and one channel of low frequencies.
        for (value, count) in [
            (5, 3), (0, 4), (1, 2), (6, 4), (1, 4), (0, 4), (0, 4), (1, 2), (0, 3), (0, 4), (0, 1), (0, 1),
            (0, 1),
            (1, 1), (0, 4), (0, 4),
        ] { bits.put(value, count) }
        bits.align()
        bits.put(0, 8)
        let bytes = (0..<3).flatMap { Self.adts([bits.bytes + Self.block($0)], configuration: 0) }
        let track = try Self.track(0x0F, [HandmadeStream.Unit(presentation: 90_000, bytes: bytes)])
        #expect(track.samples.count == 3)
        #expect(track.descriptions[0].shape == .audio(sampleRate: 24_000, channels: 3))
        var configuration = BitReader([0x13, 0x00] + [])
        _ = configuration.bits(8)
        let entry = track.descriptions[0].entry
        let place = try #require(
            entry.indices.first { entry[$0...].starts(with: [5]) && entry[$0 + 2] == 0x13 })
        var reader = BitReader(entry[(place + 2)...])
        #expect(AACConfiguration(&reader)?.channels == 3)
    }

    /// A frame of E-AC-3 at 48 kHz, of 128 bytes; `addition` is what joint object coding adds.
    private static func enhanced(
        _ type: Int = 0, blocks: Int = 3, map: Int? = nil, complexity: Int? = nil, seed: UInt8
    ) -> [UInt8] {
        var bits = BitWriter()
        for (value, count) in [
            (0x0B77, 16), (type, 2), (0, 3), (63, 11), (0, 2), (blocks, 2), (7, 3), (1, 1), (16, 5), (31, 5),
            (0, 1),
        ] { bits.put(value, count) }
        if type == 1 {
            bits.put(map == nil ? 0 : 1, 1)
            if let map { bits.put(map, 16) }
        }
        bits.put(0, 2)
        if type == 0, blocks != 3 { bits.put(1, 1) }
        bits.put(complexity == nil ? 0 : 1, 1)
        if let complexity {
            for (value, count) in [(1, 6), (1, 8), (complexity, 8)] { bits.put(value, count) }
        }
        return bits.bytes + [UInt8](repeating: seed, count: 128 - bits.bytes.count)
    }

    private static func box(_ name: String, _ entry: [UInt8]) -> [UInt8]? {
        let place = entry.indices.first { entry[$0...].starts(with: name.utf8) }
        return place.map { Array(entry[($0 + 4)..<($0 - 4 + Int(entry[$0 - 1]))]) }
    }

    @Test("a sample of E-AC-3 has six blocks, with the substreams that depend on them")
    func substreams() throws {
        // Two blocks a frame, so that three frames make a sample; rear surrounds in the dependent ones.
        let frames = (0..<6).map {
            Self.enhanced(blocks: 1, seed: $0) + Self.enhanced(1, blocks: 1, map: 0x0200, seed: $0 | 0x80)
        }
        let track = try Self.track(
            0x87, [HandmadeStream.Unit(presentation: 90_000, bytes: Array(frames.joined()))])
        #expect(track.samples.map(\.size) == [768, 768])
        #expect(track.samples.map(\.decodeTime) == [48_000, 49_536])
        #expect(track.bytes == Array(frames.joined()))
        #expect(track.descriptions[0].shape == .audio(sampleRate: 48_000, channels: 8))
        // 192 kbit/s; one program of 3/2.1 channels with one dependent substream at place 1.
        #expect(Self.box("dec3", track.descriptions[0].entry) == [0x06, 0x00, 0x20, 0x0F, 0x02, 0x02])
    }

    @Test("joint object coding is told in the sample entry")
    func objects() throws {
        let frames = (0..<3).map { Self.enhanced(blocks: 3, complexity: 16, seed: $0) }
        let track = try Self.track(
            0x87, [HandmadeStream.Unit(presentation: 90_000, bytes: Array(frames.joined()))])
        #expect(track.samples.count == 3)
        #expect(Self.box("dec3", track.descriptions[0].entry)?.suffix(2) == [1, 16])
    }

    @Test("keeps a gap, corrects drift of half a frame, and drops repeated frames")
    func times() throws {
        func unit(_ time: Int64, _ seed: UInt8) -> HandmadeStream.Unit {
            HandmadeStream.Unit(presentation: time, bytes: Self.adts([Self.block(seed)]))
        }
        // A frame takes 3840 ticks of 90 kHz.
        let track = try Self.track(
            0x0F,
            [
                unit(90_000, 1), unit(93_840, 2), unit(97_680 + 900, 3), unit(101_520 + 38_400, 4),
                unit(101_520 + 38_400, 5), unit(143_760, 6),
            ])
        #expect(track.samples.map(\.decodeTime) == [24_000, 25_024, 26_048, 37_312, 38_336])
        #expect(track.samples.map(\.duration) == [1024, 1024, 11_264, 1024, 1024])
    }
}
