import AssetStore
import MediaContainers
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The tracks of a stream with several of one kind", .timeLimit(.minutes(1)))
struct TrackOrderTests {
    private static let stream = MadeRendition.even(
        [.sound(rate: 48_000), .sound(rate: 44_100), .picture(width: 160)])

    private func expectOrder(_ bytes: [UInt8]) throws {
        let tracks = try MovieTrack.all(in: bytes)
        #expect(tracks.map(\.number) == [1, 2, 3])
        #expect(tracks.map(\.kind) == [.video, .audio, .audio])
        #expect(tracks.map(\.timescale) == [90_000, 48_000, 44_100])
    }

    @Test("are pictures first, then sound in the order of the stream, numbered from 1")
    func order() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let form = FragmentedForm(beginning: 0)
            let section = try FragmentedMedia().section(0, of: "video", film.token, as: form, in: film.store)
            try expectOrder(try #require(section))
            try expectOrder(film.bytes(film.store.file(of: film.token, AssetFileChoice(.mp4))))
        }
    }

    @Test("keep their samples in a fragment")
    func fragment() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let (media, form) = (FragmentedMedia(), FragmentedForm(.audio))
            let section = try media.section(0, of: "video", film.token, as: form, in: film.store)
            let made = try media.segment(
                1, of: "video", film.token, as: form, in: film.store, counts: false)
            let bytes = try #require(made).bytes
            let movie = try MovieTrack.all(in: try #require(section))
            let tracks = try SegmentFragments(bytes, movie: movie).samples(of: bytes)
            let source = Self.stream.segments[1].samples(seed: 2)
            #expect(tracks.map(\.timescale) == [48_000, 44_100])
            #expect(tracks.map(\.bytes) == [source[0].bytes, source[1].bytes])
        }
    }
}

@Suite("Times of segments that do not tell theirs", .timeLimit(.minutes(1)))
struct UntoldTimeTests {
    @Test("are those of the playlist: each begins where the one before ends")
    func starts() async throws {
        var stream = MadeRendition.even([.picture(width: 160)], count: 3)
        stream.segments[1].listed = 4.5
        var files = stream.files
        for index in files.indices {
            // A box without a meaning in place of the decode time.
            guard let place = files[index].bytes.firstRange(of: "tfdt".utf8) else { continue }
            files[index].bytes.replaceSubrange(place, with: "free".utf8)
        }
        try await FilmFixture.run(playlist: "index.m3u8", files: files) { film async throws in
            let indexed = try #require(try film.indexed())
            let pieces = try indexed.pieces(stream: 0).pieces
            #expect(pieces.map(\.start) == [0, 4, 8.5] && pieces.map(\.end) == [4, 8, 12.5])
            #expect(pieces.map(\.place) == [0, 4, 8.5] && pieces.map(\.duration) == [4, 4.5, 4])
            #expect(try indexed.pieces(stream: 0).places == [0, 1, 2])
        }
    }
}

@Suite("Times that a stream makes up", .timeLimit(.minutes(1)))
struct MadeUpTimeTests {
    @Test("are limited, so that they end no more than their stream")
    func limited() async throws {
        let stream = MadeRendition.even([.sound(rate: 8000)], count: 2)
        var files = stream.files
        var changes = 0
        for index in files.indices {
            guard let name = files[index].bytes.firstRange(of: "tfdt".utf8) else { continue }
            try #require(files[index].bytes[name.upperBound] == 1, "the time has 64 bits")
            let time = name.upperBound + 4..<name.upperBound + 12
            files[index].bytes.replaceSubrange(time, with: [UInt8](repeating: 0x7F, count: 8))
            changes += 1
        }
        #expect(changes == 2)
        try await FilmFixture.run(playlist: "index.m3u8", files: files) { film async throws in
            #expect(try !AssetManifest(of: film.token, in: film.store).bytes().isEmpty)
        }
    }

    @Test("have as many ticks as fit, and are rounded as asked")
    func ticks() {
        #expect(Int64(ticksOf: 1.5) == 135_000 && Int64(ticksOf: -1.5) == -135_000)
        #expect(Int64(ticksOf: 1e300) == 1 << 60 && Int64(ticksOf: -1e300) == -1 << 60)
        #expect(Int64(ticksOf: 0.7 / 90_000) == 0)
        #expect(Int64(ticksOf: 0.7 / 90_000, .toNearestOrAwayFromZero) == 1)
    }
}

@Suite("The parts of an asset, of which each can be a file", .timeLimit(.minutes(1)))
struct PartTests {
    @Test(
        "begin where pictures change, and where sound of its own changes, without a discontinuity",
        arguments: [(1, 2), (2, 1)])
    func renditions(picturesChange: Int, soundChanges: Int) async throws {
        var pictures = MadeRendition.even([.picture(width: 160)], name: "v", count: 3)
        for index in picturesChange..<3 { pictures.segments[index].tracks = [.picture(width: 320)] }
        var sound = MadeRendition.even([.sound(rate: 48_000)], name: "s", count: 3)
        for index in soundChanges..<3 { sound.segments[index].tracks = [.sound(rate: 44_100)] }
        let master = [
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Deutsch\",LANGUAGE=\"de\",URI=\"s.m3u8\"",
            "#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=160x90,AUDIO=\"a\"", "v.m3u8",
        ]
        try await FilmFixture.run(made: [pictures, sound], master: master) { film async throws in
            for part in 1...3 {
                let file = try film.store.file(of: film.token, AssetFileChoice(.mp4, part: part))
                #expect(file.duration == 4, "part \(part)")
            }
            let none = refusal { _ = try film.store.file(of: film.token, AssetFileChoice(.mp4, part: 4)) }
            #expect(none == "noSuchPart(4, of: 3)")
        }
    }

    /// Text with a sample entry of a type, from a time on.
    private static func text(_ type: String, from time: Int) -> TrackSamples {
        let entry = SampleMedia.box(type, [UInt8](repeating: 0, count: 8))
        let bytes = Array("Hier".utf8)
        return TrackSamples(
            number: 2, timescale: 90_000,
            descriptions: [SampleDescription(entry: entry, codec: type, shape: .other)],
            samples: [
                MediaSample(
                    decodeTime: Int64(time), duration: 360_000, size: UInt32(bytes.count), isSync: true)
            ],
            bytes: bytes)
    }

    @Test("do not begin where text changes, which files do not have")
    func texts() async throws {
        var files: [(name: String, bytes: [UInt8])] = []
        var list = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n"
        for (index, type) in ["wvtt", "stpp"].enumerated() {
            let time = 900_000 + index * 360_000
            let pictures = MadeTrack.picture(width: 160).samples(from: time, seconds: 4)
            let samples = [pictures, Self.text(type, from: time)]
            let tracks = samples.enumerated().map { OutputTrack(number: UInt32($0 + 1), of: $1) }
            let writer = FragmentWriter(tracks: tracks)
            files.append(("\(index).mp4", writer.initializationSection))
            files.append(("\(index).m4s", writer.segment(samples, sequenceNumber: UInt32(index + 1))))
            list += "#EXT-X-MAP:URI=\"\(index).mp4\"\n#EXTINF:4,\n\(index).m4s\n"
        }
        files.append(("index.m3u8", Array((list + "#EXT-X-ENDLIST\n").utf8)))
        try await FilmFixture.run(playlist: "index.m3u8", files: files) { film async throws in
            let indexed = try #require(try film.indexed())
            #expect(try indexed.index(at: 1)?.tracks.map(\.kind) == [.video, .text])
            let (places, pieces) = try indexed.pieces(stream: 0)
            let stretches = try MovieStretches(
                [indexed], segments: places.map { (source: 0, place: $0) }, pieces: pieces)
            #expect(stretches.count == 1)
        }
    }

    @Test("begin once where pictures change behind a segment without a duration")
    func noDuration() async throws {
        var stream = MadeRendition.even([.picture(width: 160)], count: 3)
        stream.segments[2].tracks = [.picture(width: 320)]
        try await FilmFixture.run(made: [stream]) { film async throws in
            let indexed = try #require(try film.indexed())
            let found = try indexed.pieces(stream: 0)
            var pieces = found.pieces
            (pieces[1].duration, pieces[2].place) = (0, pieces[1].place)
            let stretches = try MovieStretches(
                [indexed], segments: found.places.map { (source: 0, place: $0) }, pieces: pieces)
            #expect(stretches.count == 2 && stretches.number(of: pieces[2]) == 1)
        }
    }

    @Test(
        "begin once where sound changes soon after the pictures, and anew where it changes later",
        arguments: [(5, 2), (6, 3)])
    func together(_ seconds: Int, _ count: Int) async throws {
        let pictures = MadeRendition(
            name: "v",
            segments: [
                .init(tracks: [.picture(width: 160)], start: 900_000),
                .init(tracks: [.picture(width: 320)], start: 1_260_000),
                .init(tracks: [.picture(width: 320)], start: 1_620_000),
            ])
        let change = 900_000 + seconds * 90_000
        let sound = MadeRendition(
            name: "e",
            segments: [
                .init(
                    tracks: [.sound(rate: 48_000)], start: 900_000, seconds: seconds, listed: Double(seconds)),
                .init(tracks: [.sound(rate: 32_000)], start: change),
            ])
        let master = [
            #"#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",URI="e.m3u8""#,
            #"#EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=160x90,AUDIO="a""#, "v.m3u8",
        ]
        try await FilmFixture.run(made: [pictures, sound], master: master) { film async throws in
            let rows = try film.store.catalog.renditions.all(of: [film.token])[film.token] ?? []
            let kinds: [RenditionKind] = [.variant, .audio]
            let names = kinds.compactMap { kind in rows.first { $0.kind == kind }?.name }
            let sources = try names.compactMap { try film.indexed($0) }
            try #require(sources.count == 2)
            var segments: [(source: Int, place: Int)] = []
            var pieces: [MovieTimeline.Piece] = []
            for (number, source) in sources.enumerated() {
                let found = try source.pieces(stream: number)
                segments += found.places.map { (source: number, place: $0) }
                pieces += found.pieces
            }
            let stretches = try MovieStretches(sources, segments: segments, pieces: pieces)
            #expect(stretches.count == count)
        }
    }
}
