import TestSupport
import Testing

@testable import MediaContainers

@Suite("The fields of a track fragment") struct MovieFragmentFieldTests {
    /// A movie whose track has default values and three descriptions.
    private static func movie() throws -> [MovieTrack] {
        let samples = MadeMedia.sound(count: 1)
        let writer = FragmentWriter(tracks: [OutputTrack(number: 1, of: samples)])
        var movie = try MovieTrack.all(in: writer.initializationSection)
        try #require(movie.count == 1 && movie[0].number == 1)
        movie[0].descriptions = [MadeMedia.audio, MadeMedia.audio, MadeMedia.audio]
        movie[0].defaults = .init(description: 2, duration: 5, size: 3, flags: 0x10000)
        return movie
    }

    /// A segment with one fragment of one run.
    ///
    /// - Parameters:
    ///   - run: the number of its samples and its fields behind the offset of its data.
    ///   - data: the bytes of all samples.
    private static func segment(
        _ flags: Int = 0, _ fields: [Int] = [], _ runFlags: Int = 0, run: [Int], data: Int
    ) -> [UInt8] {
        func fragment(_ offset: Int) -> [UInt8] {
            let header = SampleMedia.fullBox("tfhd", flags: 0x20000 | flags, [1] + fields)
            let numbers = Array(run.prefix(1)) + [offset] + Array(run.dropFirst())
            let samples = SampleMedia.fullBox("trun", flags: 1 | runFlags, numbers)
            return SampleMedia.movieFragment([SampleMedia.box("traf", header + samples)])
        }
        let bytes = [UInt8](repeating: 7, count: data)
        return fragment(fragment(0).count + 8) + SampleMedia.box("mdat", bytes)
    }

    private static func track(_ segment: [UInt8]) throws -> SegmentFragments.Track {
        try #require(try SegmentFragments(segment, movie: movie()).tracks.first)
    }

    @Test("give a track the size of all its samples, of all fragments")
    func size() throws {
        let segment = SampleMedia.fragment(samples: [300, 20, 700])
        let one = try Self.track(segment)
        #expect(one.size == 1020 && one.samples.map(\.size) == [300, 20, 700])
        let two = try Self.track(segment + segment)
        #expect(two.size == 2040 && two.samples.count == 6)
    }

    @Test("are those of the movie where the fragment has none")
    func defaults() throws {
        let track = try Self.track(Self.segment(run: [2], data: 6))
        let first = MediaSample(decodeTime: 0, duration: 5, size: 3, isSync: false, description: 1)
        let second = MediaSample(decodeTime: 5, duration: 5, size: 3, isSync: false, description: 1)
        #expect(track.samples == [first, second] && track.size == 6)
        #expect(track.offsets.map { $0 - (track.offsets.first ?? 0) } == [0, 3])
    }

    @Test("stand before those of the movie, each on its own")
    func own() throws {
        func sample(
            duration: UInt32 = 5, size: UInt32 = 3, isSync: Bool = false, description: UInt8 = 1
        ) -> MediaSample {
            MediaSample(
                decodeTime: 0, duration: duration, size: size, isSync: isSync, description: description)
        }
        let forms: [(Int, [Int], MediaSample)] = [
            (0x2, [3], sample(description: 2)), (0x8, [7], sample(duration: 7)), (0x10, [4], sample(size: 4)),
            (0x20, [0], sample(isSync: true)),
            (0x3A, [1, 7, 4, 0], sample(duration: 7, size: 4, isSync: true, description: 0)),
            // Descriptions are those of the track, counted from 1.
            (0x2, [4], sample(description: 2)), (0x2, [0], sample(description: 0)),
        ]
        for (flags, fields, expected) in forms {
            let track = try Self.track(Self.segment(flags, fields, run: [1], data: 9))
            #expect(track.samples == [expected], "\(flags), \(fields)")
        }
    }

    @Test("are those of each sample where the run has them")
    func samples() throws {
        let run = [2, 10, 2, 0x10000, 100, 11, 4, 0x200_0000, 0xFFFF_FFFF]
        let track = try Self.track(Self.segment(0x3A, [1, 7, 4, 0], 0xF00, run: run, data: 6))
        #expect(
            track.samples == [
                MediaSample(decodeTime: 0, presentationOffset: 100, duration: 10, size: 2, isSync: false),
                MediaSample(decodeTime: 10, presentationOffset: -1, duration: 11, size: 4, isSync: true),
            ])
        let lengths = try Self.track(Self.segment(0, [], 0x100, run: [2, 8, 9], data: 6)).samples
        #expect(lengths.map(\.duration) == [8, 9] && lengths.map(\.size) == [3, 3])
        #expect(lengths.map(\.decodeTime) == [0, 8])
    }

    @Test("have flags of the first sample, which stand before its own")
    func firstFlags() throws {
        let usual = try Self.track(Self.segment(0, [], 0x4, run: [3, 0], data: 9)).samples
        #expect(usual.map(\.isSync) == [true, false, false])
        let run = [3, 0x10000, 0, 0, 0x10000]
        let own = try Self.track(Self.segment(0, [], 0x404, run: run, data: 9)).samples
        #expect(own.map(\.isSync) == [false, true, false])
    }

    @Test("are malformed where they are missing, or samples lie beyond the segment")
    func broken() throws {
        let movie = try Self.movie()
        func expect(_ error: SampleError, _ segment: [UInt8], _ name: String) {
            #expect(throws: error, "\(name)") { try SegmentFragments(segment, movie: movie) }
        }
        // The track's box begins at 24, the content of its run at 56, and four bytes later for each field before it.
        let header = SampleError.malformed(offset: 24, reason: "tfhd")
        for flag in [0x2, 0x8, 0x10, 0x20] {
            expect(header, Self.segment(flag, [], run: [1], data: 9), "\(flag)")
        }
        expect(header, Self.segment(0x1, [0], run: [1], data: 9), "half an offset")
        let beyond = "samples beyond the segment"
        expect(
            .malformed(offset: 56, reason: beyond), Self.segment(run: [2], data: 5), "the last byte")
        expect(
            .malformed(offset: 60, reason: beyond), Self.segment(0x10, [7], run: [1], data: 6), "its size")
        for flag in [0x100, 0x200, 0x400, 0x800] {
            expect(
                .malformed(offset: 56, reason: beyond), Self.segment(0, [], flag, run: [2, 1], data: 99),
                "\(flag)")
        }
        expect(.tooLarge, Self.segment(run: [SegmentFragments.mostSamples + 1], data: 9), "too many")
        #expect(try Self.track(Self.segment(run: [2], data: 6)).samples.count == 2)
    }
}
