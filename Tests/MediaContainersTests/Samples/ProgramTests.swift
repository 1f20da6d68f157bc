import Testing

@testable import MediaContainers

/// The tables of transport streams, and streams that have no samples.
@Suite("Programs of transport streams") struct ProgramTests {
    private typealias Entry = HandmadeStream.Entry
    private typealias Unit = HandmadeStream.Unit

    private static let picture =
        HandmadePictures.stream(
            HandmadePictures.sequence(fields: false), HandmadePictures.pictureSet(),
            HandmadePictures.slice(5, kind: 7, frame: 0, fields: false, payload: 1))

    private static func read(_ entries: [Entry], _ units: [Unit]) throws -> (TransportSamples, [TrackSamples])
    {
        var reader = TransportSamples()
        let tracks = try reader.read(HandmadeStream(entries, units).bytes)
        return (reader, tracks)
    }

    @Test("streams that have no samples are named, and alone they are an error")
    func unsupported() throws {
        let entries = [Entry(type: 0x1B), Entry(stream: 257, type: 0x8A), Entry(stream: 258, type: 0x86)]
        let units = [
            Unit(presentation: 90_000, bytes: Self.picture), Unit(stream: 257, presentation: 9, bytes: [1]),
        ]
        let (reader, tracks) = try Self.read(entries, units)
        #expect(tracks.map(\.number) == [256])
        #expect(reader.leftOut == [TransportSamples.LeftOut(number: 257, codec: "DTS", isPictures: false)])
        #expect(reader.irreplaceable == reader.leftOut.first)
        let spoken = try Self.read(entries + [Entry(stream: 259, type: 0x0F)], units)
        #expect(spoken.0.irreplaceable == nil)
        for (entries, lost) in [
            ([Entry(type: 2), Entry(stream: 257, type: 0x0F)], "MPEG-2 video"), (entries, "DTS"),
        ] {
            let segment = HandmadeStream(entries, units).bytes
            #expect(TransportSamples.irreplaceable(in: segment)?.codec == lost)
        }
        #expect(throws: SampleError.unsupportedCodec("MPEG-2 video")) {
            try Self.read([Entry(type: 2)], [Unit(presentation: 1, bytes: [1, 2, 3])])
        }
    }

    @Test("encrypted samples are refused", arguments: [0xDB, 0xCF, 0xC1, 0xC2] as [UInt8])
    func encrypted(_ type: UInt8) throws {
        #expect(throws: SampleError.encrypted) { try Self.read([Entry(type: type)], []) }
        var stream = HandmadeStream(
            [Entry(type: 0x1B)], (0..<9).map { Unit(presentation: 90 * $0, bytes: Self.picture) })
        stream.scramble()
        #expect(throws: SampleError.encrypted) { try TransportSampleTests.tracks(stream.bytes) }
    }

    @Test("a map of many streams takes several packets")
    func longMap() throws {
        let registration: [UInt8] = [5, 4] + Array("CUEI".utf8)
        let others = (0..<40).map { Entry(stream: 300 + $0, type: 0x86, descriptors: registration) }
        let (_, tracks) = try Self.read(
            others + [Entry(type: 0x1B, descriptors: [0x0A, 4] + Array("deu".utf8) + [0])],
            [Unit(presentation: 90_000, bytes: Self.picture)])
        #expect(tracks.map(\.language) == ["deu"])
    }

    @Test(
        "a new version of the map brings streams in the middle of a segment; one with a wrong checksum does not"
    )
    func versions() throws {
        let unit = Unit(presentation: 90_000, bytes: Self.picture)
        let later = Unit(stream: 300, presentation: 90_000, bytes: Self.picture)
        var stream = HandmadeStream([Entry(type: 0x1B)], [unit])
        stream.appendTables([Entry(type: 0x1B), Entry(stream: 300, type: 0x1B)], version: 1)
        stream.append(later)
        #expect(try TransportSampleTests.tracks(stream.bytes).map(\.number) == [256, 300])
        var damaged = stream.bytes
        // The type of the first stream in the second map.
        let map = try #require(
            damaged.indices.filter { $0 % 188 == 0 && damaged[$0 + 1] == 0x50 }.dropFirst().first)
        damaged[map + 5 + 12] ^= 1
        #expect(try TransportSampleTests.tracks(damaged).map(\.number) == [256])
    }

    @Test("the kinds of private streams are those that descriptors name")
    func kinds() throws {
        func kind(_ descriptors: [UInt8]) -> StreamKind { StreamKind(type: 6, Descriptors(descriptors[...])) }
        func registered(_ name: String) -> [UInt8] { [5, 4] + Array(name.utf8) }
        #expect(kind(registered("AC-3")) == .dolby)
        #expect(kind([0x6A, 1, 0]) == .dolby)
        #expect(kind([0x7A, 1, 0]) == .dolby)
        #expect(kind(registered("HEVC")) == .hevc(nil))
        #expect(
            kind(registered("Opus") + [0x7F, 2, 0x80, 6]) == OpusStream(configuration: 6).map { .opus($0) })
        let most = try #require(OpusStream(configuration: 8))
        #expect(kind(registered("Opus") + [0x7F, 2, 0x80, 8]) == .opus(most))
        #expect(kind(registered("Opus") + [0x7F, 2, 0x80, 9]) == .unsupported("Opus", isPictures: false))
        #expect(kind(registered("AV01")) == .unsupported("AV1", isPictures: true))
        #expect(kind([0x59, 8, 0, 0, 0, 0, 0, 0, 0, 0]) == .other)
    }

    @Test("timed tags are handed out with their times")
    func metadata() throws {
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 2, 7, 7]
        let (reader, tracks) = try Self.read(
            [Entry(type: 0x1B), Entry(stream: 258, type: 0x15)],
            [
                Unit(presentation: 90_000, bytes: Self.picture),
                Unit(stream: 258, presentation: 91_000, bytes: tag),
                Unit(stream: 258, presentation: 95_000, bytes: tag + tag),
            ])
        #expect(tracks.map(\.number) == [256])
        #expect(reader.metadata == [.init(time: 91_000, bytes: tag), .init(time: 95_000, bytes: tag + tag)])
    }

    @Test("the configuration of Dolby Vision is that of the program map")
    func dolbyVision() throws {
        // Profile 8, level 6, with a reference and a base layer; compatible with HDR10.
        let content: [UInt8] = [1, 0, 0x10, 0x35, 0x10]
        let vision = try #require(DolbyVision(descriptor: content[...]))
        var writer = ByteWriter()
        vision.write(&writer)
        #expect(
            writer.bytes == [0, 0, 0, 32] + Array("dvvC".utf8) + content + [UInt8](repeating: 0, count: 19))
    }

    @Test("a segment that can't be read changes nothing")
    func failures() throws {
        let good = HandmadeStream(
            [Entry(type: 0x1B)],
            [
                Unit(presentation: 90_000, bytes: Self.picture),
                Unit(presentation: 93_600, bytes: Self.picture),
            ])
        var scrambled = HandmadeStream(
            [Entry(type: 0x1B)], (0..<9).map { Unit(presentation: 90 * $0, bytes: Self.picture) })
        scrambled.scramble()
        var (reader, other) = (TransportSamples(), TransportSamples())
        _ = (try reader.read(good.bytes), try other.read(good.bytes))
        #expect(throws: SampleError.encrypted) { try reader.read(scrambled.bytes + good.bytes) }
        #expect(try reader.read(good.bytes) == other.read(good.bytes))
    }

    @Test("bytes that are not a transport stream are refused")
    func foreign() {
        #expect(throws: SampleError.unknownContainer) { try TransportSampleTests.tracks([]) }
        #expect(throws: SampleError.unknownContainer) {
            try TransportSampleTests.tracks(Array("<html>".utf8) + [UInt8](repeating: 32, count: 4000))
        }
    }
}
