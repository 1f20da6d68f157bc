import AssetStore
import MediaContainers
import StoreTestSupport
import SystemPackage
import TestSupport
import Testing

@testable import AssetFiles

@Suite("A transport stream with its tables in an initialization section", .timeLimit(.minutes(1)))
struct TableSectionTests {
    private static let headers = [[UInt8]](repeating: MadePackets.stereo, count: 3)
    private static let segments = MadePackets.sound(headers, types: [])
    private static var section: [UInt8] {
        var stream = MadePackets()
        return stream.tables([0x81])
    }

    @Test("is read from any segment on, whose size is that without the tables")
    func reading() async throws {
        try await FilmFixture.run(segments: Self.segments, "ts", section: Self.section) { film async throws in
            let cases: [[(place: Int, lead: Int)]] = [
                [(0, 0), (1, 0), (2, 0)], [(1, 0)], [(1, 1)], [(2, 2), (0, 1)], [(2, 0), (1, 0)],
            ]
            for wishes in cases {
                var sampler = try film.sampler
                for (place, lead) in wishes {
                    let segment = try sampler.segment(at: place, lead: lead)
                    let samples = segment.tracks.first?.samples ?? []
                    #expect(samples.count == 3 && samples.first?.decodeTime == Int64(480_000 + place * 4608))
                    #expect(segment.clearSize == Self.segments[place].count, "\(place) in \(wishes)")
                }
            }
        }
    }

    @Test("is read by later tables once it has some")
    func laterTables() async throws {
        let first = MadePackets.sound([MadePackets.stereo], types: [])
        var stream = MadePackets()
        let tables = stream.tables([0x03])
        let mpeg = [908_640, 918_045].enumerated().map { index, time in
            stream.unit(SampleMedia.mp3(4, seed: UInt64(index + 1)), at: time, kind: 0xC0).flatMap(\.self)
        }
        let segments = first + [tables + mpeg[0], mpeg[1]]
        try await FilmFixture.run(segments: segments, "ts", section: Self.section) { film async throws in
            var sampler = try film.sampler
            var codecs: [[String]] = []
            for place in 0..<3 {
                let segment = try sampler.segment(at: place)
                codecs.append(segment.tracks.compactMap(\.descriptions.first?.codec))
            }
            #expect(codecs == [["ac-3"], ["mp4a.6B"], ["mp4a.6B"]])
        }
    }

    @Test("becomes a file that has the tables once, at its beginning, read from any place on")
    func file() async throws {
        let whole = Self.section + Self.segments.flatMap(\.self)
        try await FilmFixture.run(segments: Self.segments, "ts", section: Self.section) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.ts))
            #expect(file.length == UInt64(whole.count) && file.headSize == 0)
            #expect(abs(file.duration - 0.288) < 0.001)
            let border = Self.section.count + Self.segments[0].count
            let starts = [
                0, 1, Self.section.count - 1, Self.section.count, border - 1, border, whole.count - 1,
                whole.count, whole.count + 1,
            ]
            for start in starts {
                let bytes = try film.bytes(file, from: UInt64(start), by: 1000)
                #expect(bytes == Array(whole.dropFirst(start)), "\(start)")
            }
        }
    }
}

@Suite("A transport stream of several discontinuities as one file", .timeLimit(.minutes(1)))
struct ContinuedClockTests {
    @Test("has the clock of the first one, which the others continue")
    func clock() async throws {
        let first = MadePackets.sound([MadePackets.stereo])
        let second = MadePackets.sound([MadePackets.stereo], at: 90_000)
        let tags = [1: "#EXT-X-DISCONTINUITY\n"]
        try await FilmFixture.run(segments: first + second, "ts", tags: tags) { film async throws in
            let file = try film.store.file(of: film.token, AssetFileChoice(.ts))
            let bytes = try film.bytes(file)
            #expect(Array(bytes.prefix(first[0].count)) == first[0])
            var reader = TransportSamples()
            let tracks = try reader.read(Array(bytes.dropFirst(first[0].count)))
            #expect(tracks.map { $0.samples.map(\.decodeTime) } == [[484_608, 486_144, 487_680]])
            var source = TransportSamples()
            let expected = try source.read(second[0])
            #expect(tracks.map(\.bytes) == expected.map(\.bytes))
        }
    }

    @Test("is refused where its sound changes its codec, up to which a part can be a file")
    func codecs() async throws {
        let first = MadePackets.sound([MadePackets.stereo])
        var stream = MadePackets()
        let tables = stream.tables([0x03])
        let packets = stream.unit(SampleMedia.mp3(4), at: 90_000, kind: 0xC0)
        let tags = [1: "#EXT-X-DISCONTINUITY\n"]
        try await FilmFixture.run(
            segments: first + [tables + packets.flatMap(\.self)], "ts", tags: tags
        ) { film async throws in
            let refused = refusal { _ = try film.store.file(of: film.token, AssetFileChoice(.ts)) }
            #expect(refused?.hasPrefix(#"codecChanges(rendition: "video", at: 0.096, from: "ac-3""#) == true)
            let part = try film.store.file(of: film.token, AssetFileChoice(.mp4, part: 1))
            #expect(abs(part.duration - 0.096) < 0.001)
        }
    }

    @Test(
        "is refused where its sound changes its codec within a segment, which no part can hold",
        arguments: [1, nil])
    func codecsOfOneSegment(_ part: Int?) async throws {
        let first = MadePackets.sound([MadePackets.stereo])
        var stream = MadePackets()
        let tables = stream.tables([0x03])
        let packets = stream.unit(SampleMedia.mp3(4), at: 90_000, kind: 0xC0)
        let segment = first.flatMap(\.self) + tables + packets.flatMap(\.self)
        try await FilmFixture.run(segments: [segment], "ts") { film async throws in
            for format in [AssetFileFormat.ts, .m4a] {
                let choice = AssetFileChoice(format, part: part)
                let refused = refusal { _ = try film.store.file(of: film.token, choice) }
                #expect(
                    refused
                        == #"codecChanges(rendition: "video", at: 0.0, from: "ac-3", to: "mp4a.6B", within: Optional(0))"#
                )
            }
        }
    }
}

@Suite("A file of sound of a transport stream", .timeLimit(.minutes(1)))
struct KnownSoundTests {
    @Test("is laid out by the indexes of its segments, without a look at these")
    func indexes() async throws {
        let segments = MadePackets.sound([MadePackets.stereo, MadePackets.stereo])
        try await FilmFixture.run(segments: segments, "ts") { film async throws in
            let first = try film.store.file(of: film.token, AssetFileChoice(.m4a))
            try FileSystem.unlink(film.store.paths.rendition(film.token, "video").appending("0.ts"))
            let second = try film.store.file(of: film.token, AssetFileChoice(.m4a))
            #expect(second.entityTag == first.entityTag && second.length == first.length)
        }
    }
}

@Suite("A transport stream with a codec that is not read", .timeLimit(.minutes(1)))
struct LostCodecTests {
    private static let headers = [[UInt8]](repeating: MadePackets.stereo, count: 2)
    /// Sound, and a program map that also names MPEG-2 video (ISO/IEC 13818-1, table 2-34).
    private static let segments = MadePackets.sound(headers, types: [0x81, 0x02])

    private func refused(_ film: FilmFixture, _ choice: AssetFileChoice) -> String? {
        refusal { _ = try film.store.file(of: film.token, choice) }
    }

    @Test("is refused as a film if its pictures were lost, and is a file of sound")
    func pictures() async throws {
        try await FilmFixture.run(segments: Self.segments, "ts") { film async throws in
            let text = try #require(refused(film, AssetFileChoice(.mp4)))
            #expect(text.hasPrefix(#"unreadable(rendition: "video", segment: 0"#))
            #expect(text.contains(#"unsupportedCodec("MPEG-2 video")"#))
            let sound = try film.store.file(of: film.token, AssetFileChoice(.m4a))
            #expect(abs(sound.duration - 0.192) < 0.001)
            let packets = try film.store.file(of: film.token, AssetFileChoice(.ts))
            #expect(try film.bytes(packets) == Self.segments.flatMap(\.self))
        }
    }

    @Test("is refused as a film by the first segment that is not a gap")
    func gap() async throws {
        let tags = [0: "#EXT-X-GAP\n"]
        try await FilmFixture.run(segments: Self.segments, "ts", tags: tags) { film async throws in
            let text = try #require(refused(film, AssetFileChoice(.mp4, skipsGaps: true)))
            #expect(text.hasPrefix(#"unreadable(rendition: "video", segment: 1"#))
            #expect(refused(film, AssetFileChoice(.m4a, skipsGaps: true)) == nil)
        }
    }

    @Test("is refused also if its tables are in an initialization section")
    func section() async throws {
        var stream = MadePackets()
        let section = stream.tables([0x81, 0x02])
        let segments = MadePackets.sound(Self.headers, types: [])
        try await FilmFixture.run(segments: segments, "ts", section: section) { film async throws in
            let text = try #require(refused(film, AssetFileChoice(.mp4)))
            #expect(text.contains(#"unsupportedCodec("MPEG-2 video")"#))
            #expect(refused(film, AssetFileChoice(.m4a)) == nil)
        }
    }

    @Test("has no segments as fragmented MP4, in which something would be lost")
    func fragments() async throws {
        try await FilmFixture.run(segments: Self.segments, "ts") { film async throws in
            for form in [FragmentedForm(), FragmentedForm(.audio)] {
                let refused = refusal {
                    _ = try FragmentedMedia().segment(
                        0, of: "video", film.token, as: form, in: film.store, counts: false)
                }
                #expect(refused?.contains(#"unsupportedCodec("MPEG-2 video")"#) == true)
            }
        }
    }
}
