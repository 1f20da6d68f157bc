import TestSupport
import Testing

@testable import MediaContainers

@Suite("A run of samples")
struct RunTests {
    /// A movie of one track of video, whose samples have these values where no fragment has others.
    private static func movie(duration: Int = 7, size: Int = 6, flags: Int = 0) throws -> [MovieTrack] {
        let entry = SampleMedia.avcEntry()
        let list = SampleMedia.box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + entry)
        let handler = SampleMedia.box(
            "hdlr", [UInt8](repeating: 0, count: 8) + Array("vide".utf8) + [UInt8](repeating: 0, count: 13))
        let clock = SampleMedia.fullBox("mdhd", flags: 0, [0, 0, 1000, 0, 0])
        let tables = SampleMedia.box("minf", SampleMedia.box("stbl", list))
        let media = SampleMedia.box("mdia", clock + handler + tables)
        let header = SampleMedia.fullBox("tkhd", flags: 3, [0, 0, 1, 0, 0] + [Int](repeating: 0, count: 15))
        let usual = SampleMedia.fullBox("trex", flags: 0, [1, 1, duration, size, flags])
        let others = [2, 3].flatMap { SampleMedia.fullBox("trex", flags: 0, [$0, 1, 99, 98, 0x10000]) }
        let track = SampleMedia.box("trak", header + media)
        return try MovieTrack.all(
            in: SampleMedia.box("moov", track + SampleMedia.box("mvex", others + usual + others)))
    }

    /// A fragment of three samples, with what its header and its run say, and so many bytes of data.
    private func samples(
        header: (flags: Int, numbers: [Int]), run: (flags: Int, numbers: [Int]), bytes: Int = 60,
        movie: [MovieTrack]? = nil
    ) throws -> [MediaSample] {
        func boxes(_ offset: Int) -> [UInt8] {
            let head = SampleMedia.fullBox("tfhd", flags: 0x20000 | header.flags, [1] + header.numbers)
            let time = SampleMedia.fullBox("tfdt", flags: 0, [5000])
            let run = SampleMedia.fullBox("trun", flags: 1 | run.flags, [3, offset] + run.numbers)
            return SampleMedia.movieFragment(SampleMedia.box("traf", head + time + run))
        }
        let data = SampleMedia.box("mdat", OriginResource.pattern(bytes))
        let segment = boxes(boxes(0).count + 8) + data
        return try SegmentFragments(segment, movie: try movie ?? Self.movie()).tracks[0].samples
    }

    private static let dependent = 0x10000

    @Test(
        "takes each value from the sample, else from the fragment, else from the movie",
        arguments: 0..<128)
    func fields(number: Int) throws {
        let (own, usual) = (number & 15, number >> 4)
        let values: [[Int]] = [
            [100, 200, 300], [3, 4, 5], [Self.dependent, 0, Self.dependent], [10, -10, 0],
        ]
        let fallbacks: [(header: Int, movie: Int)] = [(40, 7), (5, 6), (Self.dependent, 0), (0, 0)]
        var (header, numbers): ([Int], [Int]) = ([], [])
        for field in 0..<3 where usual >> field & 1 == 1 { header.append(fallbacks[field].header) }
        for index in 0..<3 {
            for field in 0..<4 where own >> field & 1 == 1 { numbers.append(values[field][index]) }
        }
        func expected(_ field: Int) -> [Int] {
            if own >> field & 1 == 1 { return values[field] }
            let isTold = usual >> field & 1 == 1
            return [Int](repeating: isTold ? fallbacks[field].header : fallbacks[field].movie, count: 3)
        }
        let found = try samples(header: (usual << 3, header), run: (own << 8, numbers))
        let durations = expected(0)
        #expect(found.map { Int($0.duration) } == durations)
        #expect(found.map { Int($0.size) } == expected(1))
        #expect(found.map { $0.isSync } == expected(2).map { $0 == 0 })
        #expect(found.map { Int($0.presentationOffset) } == expected(3))
        #expect(found.map { Int($0.decodeTime) - 5000 } == [0, durations[0], durations[0] + durations[1]])
    }

    @Test("may say something else of its first sample alone")
    func first() throws {
        let dependent = Self.dependent
        #expect(
            try samples(header: (0x20, [dependent]), run: (4, [0])).map(\.isSync) == [true, false, false])
        #expect(try samples(header: (0, []), run: (4, [dependent])).map(\.isSync) == [false, true, true])
        let movie = try Self.movie(flags: dependent)
        #expect(
            try samples(header: (0, []), run: (0, []), movie: movie).map(\.isSync) == [false, false, false])
        #expect(
            try samples(header: (0, []), run: (4, [0]), movie: movie).map(\.isSync) == [true, false, false])
    }

    @Test("ends where the segment does, at the latest, and is whole")
    func borders() throws {
        #expect(try samples(header: (0x10, [20]), run: (0, [])).map(\.size) == [20, 20, 20])
        #expect(throws: SampleError.self) { try samples(header: (0x10, [20]), run: (0, []), bytes: 59) }
        #expect(throws: SampleError.self) { try samples(header: (0, []), run: (0x100, [1, 2])) }
        #expect(throws: SampleError.self) { try samples(header: (0, []), run: (0x200, [1, 2])) }
    }

    @Test("may begin with the first byte of the segment, and not before it")
    func beginnings() throws {
        func offset(_ place: Int) throws -> [Int]? {
            let head = SampleMedia.fullBox("tfhd", flags: 0x20010, [1, 8])
            let run = SampleMedia.fullBox("trun", flags: 1, [1, place & 0xFFFF_FFFF])
            let data = SampleMedia.box("mdat", OriginResource.pattern(16))
            let segment = data + SampleMedia.movieFragment(SampleMedia.box("traf", head + run))
            return try SegmentFragments(segment, movie: Self.movie()).tracks.first?.offsets
        }
        #expect(try offset(-16) == [8] && offset(-24) == [0])
        #expect(throws: SampleError.self) { try offset(-25) }
    }
}

@Suite("Sound that may be pictures")
struct DisguisedSoundTests {
    private func look(_ sample: [UInt8]) -> MediaVerdict {
        let movie = SampleMedia.movie([(1, "soun", SampleMedia.soundEntry("mp4a"))])
        let start = MovieOutline.read(ArrayBytes(movie)).map {
            MediaExpectation.Start.movie($0, isOld: false)
        }
        return MediaLook(expecting: MediaExpectation(.segment, start: start ?? .unknown)).judge(
            ArrayBytes(SampleMedia.fragment([sample])))
    }

    @Test("is refused where it is made of units from its first byte to its last, with a picture among them")
    func units() {
        let refused = MediaVerdict.undecodable(.foreignSamples("sound"))
        #expect(look(SampleMedia.avcSample()) == refused && look(SampleMedia.hevcSample()) == refused)
        #expect(look(SampleMedia.avcSample() + [0]) == .media(.mp4))
        #expect(look(SampleMedia.avcSample().dropLast() + []) == .media(.mp4))
        #expect(look([1] + SampleMedia.avcSample()) == .media(.mp4))
        // Parameter sets without a picture behind them.
        #expect(look(SampleMedia.units([[0x67, 0x42], [0x68, 0x42]])) == .media(.mp4))
        #expect(look(SampleMedia.units([[0x67, 0x42], [0x65, 0x88]])) == refused)
        #expect(look(SampleMedia.units([[0xE5, 0x88], [0x65, 0x88]])) == .media(.mp4))
        #expect(look([0, 0, 0, 1, 0x65] + SampleMedia.avcSample()) == .media(.mp4))
    }
}
