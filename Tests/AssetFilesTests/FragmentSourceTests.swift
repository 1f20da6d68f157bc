import AssetStore
import MediaContainers
import StoreTestSupport
import TestSupport
import Testing

@testable import AssetFiles

@Suite("The stored segments of which fragments are made", .timeLimit(.minutes(1)))
struct FragmentSourceTests {
    private static let stream = MadeRendition.even([.picture(width: 160)], count: 5)
    private static let form = FragmentedForm(.video)

    /// The validators of all segments; `nil` for those that are not stored.
    private func tags(_ film: FilmFixture, _ media: FragmentedMedia) throws -> [String?] {
        try (0..<5).map { number in
            try media.segment(
                number, of: "video", film.token, as: Self.form, in: film.store, counts: false
            )?.entityTag
        }
    }

    @Test("are the segment with the one before and the one behind, whose loss changes the validator")
    func neighbors() async throws {
        try await FilmFixture.run(made: [Self.stream]) { film async throws in
            let media = FragmentedMedia()
            let whole = try tags(film, media)
            #expect(Set(whole).count == 5 && !whole.contains(nil))
            try film.lose(2)
            let left = try tags(film, media)
            #expect(left[2] == nil && left[0] == whole[0] && left[4] == whole[4])
            #expect(left[1] != nil && left[1] != whole[1] && left[3] != nil && left[3] != whole[3])
        }
    }

    @Test("are those of which the first that is stored determines the section")
    func first() async throws {
        var stream = Self.stream
        stream.segments[3].tags = "#EXT-X-DISCONTINUITY\n"
        try await FilmFixture.run(made: [stream]) { film async throws in
            func first(_ discontinuity: Int) throws -> Int? {
                try FragmentedMedia().firstSegment(
                    of: discontinuity, "video", film.token, as: Self.form, in: film.store)
            }
            func section(_ discontinuity: Int) throws -> [UInt8]? {
                try FragmentedMedia().section(
                    discontinuity, of: "video", film.token, as: Self.form, in: film.store)
            }
            #expect(try [first(0), first(1), first(2)] == [0, 3, nil])
            let whole = try #require(try section(0))
            try film.lose(0, 1, 3)
            #expect(try [first(0), first(1)] == [2, 4] && section(0) == whole)
            try film.lose(2)
            #expect(try first(0) == 0 && section(1) == whole && section(2) == nil)
            let refused = try #require(refusal { _ = try section(0) })
            #expect(refused.hasPrefix(#"incomplete(rendition: "video""#) && refused.hasSuffix("resumable)"))
        }
    }

    @Test(
        "count as a play of an encrypted asset if that is wanted, and never for a section",
        arguments: [false, true])
    func plays(_ counts: Bool) async throws {
        var stream = MadeRendition.even([.picture(width: 160)])
        stream.segments[0].tags = "#EXT-X-KEY:METHOD=AES-128,URI=\"k.key\"\n"
        let key = Secret.key(OriginResource.pattern(16, seed: 78))
        var files = stream.files
        for index in files.indices where files[index].name.hasSuffix(".m4s") {
            let number = files[index].name == "index-0.m4s" ? 0 : 1
            files[index].bytes = SampleMedia.encrypted(files[index].bytes, key: key, number: number)
        }
        files.append(("k.key", key))
        try await FilmFixture.run(playlist: "index.m3u8", files: files) { film async throws in
            let (token, store) = (film.token, film.store)
            let section = try FragmentedMedia().section(0, of: "video", token, as: Self.form, in: store)
            let made = try FragmentedMedia().segment(
                1, of: "video", token, as: Self.form, in: store, counts: counts)
            let bytes = try #require(made).bytes
            let movie = try MovieTrack.all(in: try #require(section))
            let tracks = try SegmentFragments(bytes, movie: movie).samples(of: bytes)
            #expect(tracks.map(\.bytes) == stream.segments[1].samples(seed: 2).map(\.bytes))
            await store.stop()
            let license = try StoreReader(root: store.paths.root).requireAsset(token).license
            #expect((license.lastHandedOutAt != nil) == counts)
        }
    }
}
