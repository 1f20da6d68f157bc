import AssetStore
import MediaContainers
import TestSupport
import Testing

@testable import AssetFiles

@Suite("Segments as fragmented MP4", .timeLimit(.minutes(3)), .enabled(if: EncodedStream.isPossible))
struct FragmentedMediaTests {
    @Test("are made of transport streams, one at a time, and are the same again")
    func segments() async throws {
        try await FilmFixture.run(.packets) { film async throws in
            let media = FragmentedMedia()
            func segment(_ number: Int, _ form: FragmentedForm = FragmentedForm()) throws -> (
                bytes: [UInt8], entityTag: String
            )? {
                try media.segment(number, of: "video", film.token, as: form, in: film.store, counts: false)
            }
            let first = try #require(try segment(0))
            #expect(first.bytes.firstRange(of: "moof".utf8) != nil)
            #expect(try segment(0)?.bytes == first.bytes && segment(0)?.entityTag == first.entityTag)
            #expect(try segment(1)?.bytes != first.bytes && segment(1)?.entityTag != first.entityTag)
            #expect(try segment(3) == nil && segment(-1) == nil)
            let (pictures, sound) = (
                try segment(0, FragmentedForm(.video)), try segment(0, FragmentedForm(.audio))
            )
            #expect(try #require(pictures).bytes.count < first.bytes.count)
            #expect(try #require(sound).bytes.count < (pictures?.bytes.count ?? 0))
            #expect(try media.segment(0, of: "none", film.token, in: film.store, counts: false) == nil)
        }
    }

    @Test("have a section for each discontinuity, in which pictures come first")
    func sections() async throws {
        try await FilmFixture.run(.discontinuous) { film async throws in
            let media = FragmentedMedia()
            func section(_ number: Int, _ form: FragmentedForm = FragmentedForm()) throws -> [UInt8]? {
                try media.section(number, of: "video", film.token, as: form, in: film.store)
            }
            let first = try #require(try section(0))
            let (pictures, sound) = (first.firstRange(of: "vide".utf8), first.firstRange(of: "soun".utf8))
            #expect(try #require(pictures).lowerBound < #require(sound).lowerBound)
            #expect(try section(1) != nil && section(2) == nil)
            #expect(try MovieTrack.all(in: first).map(\.number) == [1, 2])
            #expect(try section(0, FragmentedForm(.audio))?.firstRange(of: "vide".utf8) == nil)
            #expect(try media.codecs(of: "video", film.token, in: film.store)?.hasPrefix("avc1.") == true)
            let starts = try (0..<3).map {
                try media.firstSegment(of: $0, "video", film.token, as: FragmentedForm(), in: film.store)
            }
            #expect(starts == [0, 3, nil])
            let none = try media.firstSegment(
                of: 0, "none", film.token, as: FragmentedForm(), in: film.store)
            #expect(none == nil)
        }
    }

    @Test("are cached up to a number of bytes, the latest ones")
    func cache() async throws {
        try await FilmFixture.run(.packets) { film async throws in
            func length(_ number: Int, _ media: FragmentedMedia) throws -> Int {
                let piece = try media.segment(
                    number, of: "video", film.token, in: film.store, counts: false)
                return try #require(piece).bytes.count
            }
            let all = FragmentedMedia()
            let lengths = try (0..<3).map { try length($0, all) }
            #expect(try length(1, all) == lengths[1] && all.cachedBytes == lengths.reduce(0, +))
            let some = FragmentedMedia(caching: lengths[1] + lengths[2])
            for number in 0..<3 { _ = try length(number, some) }
            #expect(some.cachedBytes == lengths[1] + lengths[2])
        }
    }

    @Test("are converted only if the stored segments can't be used")
    func forms() async throws {
        #expect(FragmentedForm().isMade(of: .ts) && !FragmentedForm().isMade(of: .m4s))
        #expect(FragmentedForm(.video).isMade(of: .m4s) && FragmentedForm(beginning: 0).isMade(of: .mp4))
        #expect(FragmentedForm(.audio, beginning: 5).name == "audio-5" && FragmentedForm().name == "all")
        try await FilmFixture.run(.fragments) { film async throws in
            let media = FragmentedMedia()
            func container(_ form: FragmentedForm) throws -> ContainerFormat? {
                try media.container(of: "video", film.token, as: form, in: film.store)
            }
            #expect(try container(FragmentedForm()) == nil && container(FragmentedForm(.video)) == .m4s)
            #expect(try media.segment(0, of: "video", film.token, in: film.store, counts: false) == nil)
            #expect(try media.section(0, of: "video", film.token, in: film.store) == nil)
            let moved = FragmentedForm(beginning: 900_000)
            let piece = try media.segment(
                1, of: "video", film.token, as: moved, in: film.store, counts: false)
            let bytes = try #require(piece).bytes
            let time = try #require(bytes.firstRange(of: "tfdt".utf8)).upperBound + 4
            let ticks = bytes[time..<time + 8].reduce(0) { $0 << 8 | Int($1) }
            #expect(ticks > 0 && ticks < 11 * 90_000 * 10)
        }
    }
}
