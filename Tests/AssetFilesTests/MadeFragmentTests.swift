import AssetStore
import MediaContainers
import TestSupport
import Testing

@testable import AssetFiles

@Suite("Fragments that are made of fragmented MP4", .timeLimit(.minutes(1)))
struct MadeFragmentTests {
    /// Sound stands before pictures, and the last segment is behind a discontinuity.
    private static var stream: MadeRendition {
        var stream = MadeRendition.even([.sound(rate: 48_000), .picture(width: 160)], count: 3)
        stream.first = 5
        stream.segments[2].start = 450_000
        stream.segments[2].tags = "#EXT-X-DISCONTINUITY\n"
        return stream
    }

    private func segment(
        _ number: Int, _ form: FragmentedForm, _ film: FilmFixture, _ media: FragmentedMedia
    ) throws -> [UInt8] {
        let made = try media.segment(number, of: "video", film.token, as: form, in: film.store, counts: false)
        return try #require(made).bytes
    }

    @Test("have pictures before sound in their section, and the manifest names their codecs apart")
    func order() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let media = FragmentedMedia()
            let form = FragmentedForm(beginning: 0)
            for number in 0..<2 {
                let section = try media.section(number, of: "video", film.token, as: form, in: film.store)
                let tracks = try MovieTrack.all(in: try #require(section))
                #expect(tracks.map(\.kind) == [.video, .audio] && tracks.map(\.number) == [1, 2])
            }
            #expect(try media.section(2, of: "video", film.token, as: form, in: film.store) == nil)
            let text = try film.manifest.text
            #expect(text.contains(#"id="video" codecs="avc1.42001E""#))
            #expect(text.contains(#"id="video-sound" codecs="mp4a""#))
        }
    }

    @Test("exist from the first number of the playlist to the last, and begin at the wanted time")
    func times() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let media = FragmentedMedia()
            let form = FragmentedForm(beginning: 90_000)
            let section = try media.section(0, of: "video", film.token, as: form, in: film.store)
            let movie = try MovieTrack.all(in: try #require(section))
            for number in 5..<8 {
                let bytes = try segment(number, form, film, media)
                let tracks = try SegmentFragments(bytes, movie: movie).tracks
                #expect(tracks.map { $0.samples.first?.decodeTime } == [90_000, 48_000])
                #expect(tracks.map(\.samples.count) == [4, 4])
                #expect(try segment(number, form, film, media) == bytes)
            }
            for number in [4, 8] {
                let made = try media.segment(
                    number, of: "video", film.token, as: form, in: film.store, counts: false)
                #expect(made?.bytes == nil)
            }
        }
    }

    @Test("bring parameter sets along behind the first discontinuity, and on one timeline always")
    func parameterSets() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let media = FragmentedMedia()
            let own = try (5..<8).map { try segment($0, FragmentedForm(.video), film, media).count }
            let joined = try (5..<8).map {
                try segment($0, FragmentedForm(.video, beginning: 0), film, media).count
            }
            #expect(own[0] == own[1] && own[1] < own[2])
            #expect(joined == [own[2], own[2], own[2]])
        }
    }
}
