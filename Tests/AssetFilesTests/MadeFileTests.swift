import AssetStore
import MediaContainers
import TestSupport
import Testing

@testable import AssetFiles

@Suite("A file of samples at known times", .timeLimit(.minutes(1)))
struct MadeFileTests {
    private static let (picture, sound) = (MadeTrack.picture(width: 160), MadeTrack.sound(rate: 48_000))

    /// Five seconds that are four by the playlist, and four seconds behind a discontinuity.
    private static func stream(_ tracks: [MadeTrack] = [picture, sound], delay: Int = 0) -> MadeRendition {
        MadeRendition(segments: [
            .init(tracks: [picture, sound], start: 9_000_000, seconds: 5, delay: delay),
            .init(tracks: tracks, start: 630_000, tags: "#EXT-X-DISCONTINUITY\n"),
        ])
    }

    private func tracks(
        _ film: FilmFixture, part: Int? = nil
    ) throws -> (tracks: AssetTracks, movie: AssetMovie) {
        let row = try #require(try film.row())
        let indexed = try #require(try film.indexed())
        var tracks = AssetTracks([indexed], .mp4, try AssetFileChoice(.mp4).sources([row]))
        let builder: MovieLayoutBuilder = try tracks.read(part: part)
        return (tracks, AssetMovie(tracks, builder))
    }

    /// The chapters of a film with chapters at these times of the presentation.
    private func chapterList(_ film: FilmFixture, part: Int? = nil, _ starts: [Double]) throws -> [String] {
        var movie = try tracks(film, part: part).movie
        movie.addChapters(starts.map { .init(start: $0, title: "\($0)") })
        return movie.chapters.map { "\($0.title) at \($0.start)" }
    }

    @Test("has each segment where the one before ends, whatever the playlist says")
    func places() async throws {
        try await FilmFixture.run(made: [Self.stream()]) { film async throws in
            let made = try tracks(film).tracks
            #expect(made.places.map(\.start) == [0, 4] && made.places.map(\.shown) == [0, 5])
            #expect(made.places.map(\.duration) == [4, 4] && made.end == 9)
            #expect(made.media.segments.map(\.place) == [0, 1])
            #expect(made.media.segments.map(\.source) == [0, 0])
            #expect(made.media.sizes.first == Self.stream().segments[0].samples().map(\.bytes.count))
            #expect(made.media.tracks.map(\.isSound) == [false, true])
            let file = try film.store.file(of: film.token, AssetFileChoice(.mp4))
            #expect(file.duration == 9)
            let bytes = try film.bytes(file, by: 100)
            #expect(UInt64(bytes.count) == file.length)
            for (index, segment) in Self.stream().segments.enumerated() {
                let pictures = segment.samples(seed: index + 1)[0].bytes
                #expect(bytes.firstRange(of: pictures.prefix(94)) != nil)
            }
        }
    }

    @Test("has the chapters of its time, at the places to which the segments have moved")
    func chapters() async throws {
        try await FilmFixture.run(made: [Self.stream()]) { film async throws in
            let all = try chapterList(film, [0, 3.5, 4, 6, 7.5, 8, 9])
            #expect(all == ["0.0 at 0.0", "3.5 at 3.5", "4.0 at 5.0", "6.0 at 7.0", "7.5 at 8.5"])
            #expect(try chapterList(film, []) == [] && chapterList(film, [20]) == [])
            // A chapter before the first one is not the beginning of the file.
            #expect(try chapterList(film, [1, 2]) == ["1.0 at 1.0", "2.0 at 2.0"])
        }
    }

    @Test("has a first chapter from its beginning, also if its sound comes before its pictures")
    func early() async throws {
        try await FilmFixture.run(made: [Self.stream(delay: 45_000)]) { film async throws in
            #expect(try tracks(film).tracks.places.first?.shown == 0.5)
            #expect(try chapterList(film, [0, 2]) == ["0.0 at 0.0", "2.0 at 2.5"])
            #expect(try chapterList(film, [1, 2]) == ["1.0 at 1.5", "2.0 at 2.5"])
        }
    }

    @Test("of a part has the chapter that runs at its start, and those that begin in it")
    func chaptersOfParts() async throws {
        let changed = Self.stream([Self.picture, .sound(rate: 44_100)])
        try await FilmFixture.run(made: [changed]) { film async throws in
            let (first, second) = (try tracks(film, part: 1).tracks, try tracks(film, part: 2).tracks)
            #expect(first.end == 5 && first.media.segments.map(\.place) == [0])
            #expect(second.end == 4 && second.media.segments.map(\.place) == [1])
            #expect(second.places.map(\.shown) == [0] && second.places.map(\.start) == [4])
            #expect(try chapterList(film, part: 1, [0, 2, 6]) == ["0.0 at 0.0", "2.0 at 2.0"])
            #expect(try chapterList(film, part: 2, [0, 2, 6]) == ["2.0 at 0.0", "6.0 at 2.0"])
            #expect(try chapterList(film, part: 2, [0, 4, 6, 8]) == ["4.0 at 0.0", "6.0 at 2.0"])
            #expect(try chapterList(film, part: 2, [5, 6]) == ["5.0 at 1.0", "6.0 at 2.0"])
            for part in [0, 3] {
                let refused = refusal { _ = try tracks(film, part: part) }
                #expect(refused == "noSuchPart(\(part), of: 2)")
            }
        }
    }

    @Test("has a part for each stretch without a change of the codec, the size or the sampling rate")
    func parts() async throws {
        let cases: [([MadeTrack], Int)] = [
            ([Self.picture, Self.sound], 1), ([.picture(width: 320), Self.sound], 2),
            ([Self.picture, .sound(rate: 32_000)], 2), ([.picture(width: 160, type: "avc3"), Self.sound], 2),
            ([Self.picture, .sound(rate: 48_000, type: "alac")], 2), ([Self.picture], 1),
        ]
        for (tracks, parts) in cases {
            try await FilmFixture.run(made: [Self.stream(tracks)]) { film async throws in
                let indexed = try #require(try film.indexed())
                let (places, pieces) = try indexed.pieces(stream: 3)
                #expect(places == [0, 1] && pieces.map(\.stream) == [3, 3])
                #expect(pieces.map(\.place) == [0, 4] && pieces.map(\.end) == [105, 11])
                #expect(pieces.map(\.start) == [100, 7] && pieces.map(\.discontinuity) == [0, 1])
                let stretches = try MovieStretches(
                    [indexed], segments: places.map { (source: 0, place: $0) }, pieces: pieces)
                #expect(stretches.count == parts, "\(tracks)")
                #expect(pieces.map { stretches.number(of: $0) } == [0, parts - 1], "\(tracks)")
            }
        }
    }

    @Test("has subtitles when their time is shown, and a part has those of its time")
    func subtitles() async throws {
        let text = """
            WEBVTT

            00:01.000 --> 00:03.000
            First

            00:03.000 --> 00:05.000
            Second

            00:06.000 --> 00:07.000
            Third

            00:08.000 --> 00:09.000
            Fourth

            """
        try await FilmFixture.run(made: [Self.stream([Self.picture, .sound(rate: 44_100)])]) {
            film async throws in
            let folder = try TemporaryDirectory()
            let file = try folder.write(Array(text.utf8), to: "a.vtt")
            try await film.store.tracks.addSubtitles(
                [SubtitleSource(source: file, language: "de")], to: film.token)
            let whole = try film.store.file(of: film.token, AssetFileChoice(.mp4, subtitles: [], part: 1))
            #expect(try film.bytes(whole).firstRange(of: "First".utf8) == nil)
            // The first part lasts five seconds, which the second text does not leave before its end.
            let cases: [(Int, [String: Bool], [Int])] = [
                (1, ["First": true, "Second": true, "Third": false, "Fourth": false], [1000, 2000, 2000]),
                (2, ["First": false, "Second": true, "Third": true, "Fourth": false], [1000, 1000, 1000]),
            ]
            for (part, texts, times) in cases {
                let file = try film.store.file(of: film.token, AssetFileChoice(.mp4, part: part))
                let bytes = try film.bytes(file)
                for (text, isThere) in texts {
                    #expect((bytes.firstRange(of: text.utf8) != nil) == isThere, "\(text) in \(part)")
                }
                #expect(durations(bytes[..<file.headSize]).prefix(3) == times[...], "\(part)")
            }
        }
    }

    /// How long the samples of the last track are.
    private func durations(_ head: ArraySlice<UInt8>) -> [Int] {
        guard let place = head.ranges(of: "stts".utf8).last?.upperBound else { return [] }
        func number(_ index: Int) -> Int {
            head[(place + 4 + 4 * index)..<(place + 8 + 4 * index)].reduce(0) { $0 << 8 | Int($1) }
        }
        return (0..<number(0)).flatMap {
            [Int](repeating: number(2 + 2 * $0), count: number(1 + 2 * $0))
        }
    }

    /// Expects that a file is refused at a gap: its time, for each start time of the rendition.
    private func expectGap(in film: FilmFixture, at times: [(start: Int, gap: String)]) throws {
        for (start, gap) in times {
            try film.store.catalog.write(.asset(film.token)) { session in
                try session.execute("UPDATE unit SET start = ? WHERE kind = 0", [start])
            }
            let refused = refusal { _ = try film.store.file(of: film.token, AssetFileChoice(.mp4)) }
            #expect(refused == #"gap(rendition: "video", at: \#(gap))"#)
        }
    }

    @Test("counts only the part of the first segment that the presentation has, up to a gap")
    func laterGap() async throws {
        var stream = MadeRendition.even([Self.picture, Self.sound], count: 3)
        stream.segments[1].tags = "#EXT-X-GAP\n"
        try await FilmFixture.run(made: [stream]) { film async throws in
            try expectGap(in: film, at: [(0, "4.0"), (-1, "3.0"), (3, "7.0")])
        }
    }

    @Test("is refused at the beginning of a gap, which does not lie before the presentation")
    func gaps() async throws {
        var stream = MadeRendition.even([Self.picture, Self.sound], count: 3)
        stream.segments[0].tags = "#EXT-X-GAP\n"
        try await FilmFixture.run(made: [stream]) { film async throws in
            try expectGap(in: film, at: [(0, "0.0"), (-1, "0.0"), (3, "3.0")])
            let file = try film.store.file(of: film.token, AssetFileChoice(.mp4, skipsGaps: true))
            #expect(file.duration == 8 && AssetFileChoice(.mp4).skipped == .none)
            let indexed = try #require(try film.indexed())
            #expect(indexed.gaps == [0] && !indexed.isEmpty)
            #expect(try indexed.index(at: 0) == nil && indexed.pieces(stream: 0).places == [1, 2])
            #expect(try indexed.pieces(stream: 0).pieces.map(\.place) == [7, 11])
        }
    }
}
