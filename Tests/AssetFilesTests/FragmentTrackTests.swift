import AssetStore
import MediaContainers
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The tracks of fragments that are made of fragmented MP4", .timeLimit(.minutes(1)))
struct FragmentTrackTests {
    private static let stream = MadeRendition.even([.picture(width: 160), .sound(rate: 48_000)])

    @Test("have the edits of their own source track in the section")
    func edits() async throws {
        var tracks = Self.stream.segments[0].writer.tracks
        (tracks[0].presentationStart, tracks[0].delay, tracks[0].rollDistance) = (1800, 90_000, -2)
        (tracks[1].presentationStart, tracks[1].delay) = (960, 96_000)
        var files = Self.stream.files
        let place = try #require(files.firstIndex(where: { $0.name.hasSuffix(".mp4") }))
        files[place].bytes = FragmentWriter(tracks: tracks).initializationSection
        try await FilmFixture.run(playlist: "index.m3u8", files: files) { film async throws in
            let form = FragmentedForm(beginning: 0)
            let section = try FragmentedMedia().section(0, of: "video", film.token, as: form, in: film.store)
            let made = try MovieTrack.all(in: try #require(section))
            #expect(made.map(\.kind) == [.video, .audio])
            #expect(made.map(\.presentationStart) == [1800, 960])
            #expect(made.map(\.delay) == [90_000, 96_000])
            #expect(made.map(\.rollDistance) == [-2, 0])
        }
    }

    @Test(
        "are numbered as in the section of their discontinuity, and on one timeline as in the first one",
        arguments: [(nil, 1, 1), (0, 0, 2)] as [(Int64?, Int, Int)])
    func numbers(_ beginning: Int64?, section number: Int, track: Int) async throws {
        var stream = Self.stream
        // Behind the discontinuity, there are no pictures before the sound.
        stream.segments[1].tracks = [.sound(rate: 48_000)]
        stream.segments[1].tags = "#EXT-X-DISCONTINUITY\n"
        try await FilmFixture.run(made: [stream]) { film async throws in
            let (media, form) = (FragmentedMedia(), FragmentedForm(.audio, beginning: beginning))
            let section = try media.section(number, of: "video", film.token, as: form, in: film.store)
            let movie = try MovieTrack.all(in: try #require(section))
            #expect(movie.map(\.number) == [track])
            let made = try media.segment(
                1, of: "video", film.token, as: form, in: film.store, counts: false)
            let bytes = try #require(made).bytes
            let fragments = try SegmentFragments(bytes, movie: movie)
            #expect(fragments.tracks.map(\.track.number) == [track])
        }
    }
}

@Suite("The validator of a fragment", .timeLimit(.minutes(1)))
struct FragmentValidatorTests {
    @Test("begins with half of the checksum of its segment")
    func checksum() async throws {
        let stream = MadeRendition.even([.picture(width: 160)], count: 3)
        try await FilmFixture.run(made: [stream]) { film async throws in
            let (media, form) = (FragmentedMedia(), FragmentedForm(.video))
            let id = try #require(try film.row()).id
            for number in 0..<3 {
                let unit = try #require(try film.store.catalog.units.unit(of: id, .segment, number))
                let sum = try #require(unit.sha256)
                let half = sum.prefix(16).map { byte in
                    (byte < 16 ? "0" : "") + String(byte, radix: 16)
                }
                let made = try media.segment(
                    number, of: "video", film.token, as: form, in: film.store, counts: false)
                let tag = try #require(made).entityTag
                #expect(sum.count == 32 && tag.hasPrefix(half.joined()), "\(number)")
            }
        }
    }
}

@Suite("The clock of a segment", .timeLimit(.minutes(1)))
struct SegmentClockTests {
    @Test("of fragmented MP4 goes on after 26.5 hours")
    func fragments() async throws {
        try await FilmFixture.run(made: [.even([.picture(width: 160)])]) { film async throws in
            var sampler = try film.sampler
            let segment = try sampler.segment(at: 0)
            #expect(!segment.wraps && !segment.index.wraps)
            let indexed = try #require(try film.indexed())
            #expect(try indexed.pieces(stream: 0).pieces.map(\.wraps) == [false, false])
        }
    }

    @Test("of a transport stream begins anew then")
    func packets() async throws {
        let segments = MadePackets.sound([MadePackets.stereo, MadePackets.stereo])
        try await FilmFixture.run(segments: segments, "ts") { film async throws in
            let indexed = try #require(try film.indexed())
            #expect(try indexed.pieces(stream: 0).pieces.map(\.wraps) == [true, true])
        }
    }
}
