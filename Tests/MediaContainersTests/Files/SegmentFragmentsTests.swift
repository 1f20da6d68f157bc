import Locking
import MediaContainers
import TestSupport
import Testing

@Suite("Samples of fragmented MP4")
struct SegmentFragmentsTests {
    private static func movie(_ tracks: [TrackSamples]) throws -> [MovieTrack] {
        try MovieTrack.all(in: writer(tracks).initializationSection)
    }

    private static func writer(_ tracks: [TrackSamples]) -> FragmentWriter {
        FragmentWriter(tracks: tracks.enumerated().map { OutputTrack(number: UInt32($0 + 1), of: $1) })
    }

    @Test("are read as they were written, in every respect")
    func roundTrip() throws {
        let samples = [MadeMedia.pictures(from: 1 << 33), MadeMedia.sound(from: 4_000_000)]
        let segment = Self.writer(samples).segment(samples, sequenceNumber: 7)
        let read = try SegmentFragments(segment, movie: Self.movie(samples))
        var expected = samples
        for index in expected.indices { expected[index].descriptions = read.tracks[index].track.descriptions }
        #expect(read.samples(of: segment) == expected)
        #expect(read.tracks.map(\.track.kind) == [.video, .audio])
        #expect(read.tracks[1].track.language == "deu")
    }

    @Test(
        "have sample entries with all boxes of their source: color, light, Dolby Vision and objects of sound")
    func entries() throws {
        func entry(_ name: String, _ fixed: Int, _ boxes: [(String, [UInt8])]) -> [UInt8] {
            SampleMedia.box(
                name,
                [UInt8](repeating: 0, count: fixed) + boxes.flatMap { SampleMedia.box($0.0, $0.1) })
        }
        let pictures = [
            ("hvcC", [UInt8](repeating: 1, count: 23)),
            ("colr", Array("nclx".utf8) + [0, 9, 0, 16, 0, 9, 0]),
            ("mdcv", [UInt8](repeating: 2, count: 24)), ("clli", [3, 0xE8, 1, 0x90]),
            ("dvvC", [1, 0, 16, 37, 16] + [UInt8](repeating: 0, count: 19)),
        ]
        // The last two bytes say that there are objects, and how complex they are.
        let sound: [(String, [UInt8])] = [("dec3", [6, 0, 0x20, 0x0F, 0, 1, 16])]
        var (video, audio) = (MadeMedia.pictures(), MadeMedia.sound())
        video.descriptions[0].entry = entry("hvc1", 78, pictures)
        audio.descriptions[0].entry = entry("ec-3", 28, sound)
        let movie = try Self.movie([video, audio])
        #expect(movie.map { $0.descriptions[0].entry } == [video, audio].map { $0.descriptions[0].entry })
        var builder = MovieLayoutBuilder(tracks: [OutputTrack(number: 1, of: video)])
        try builder.add(.init(video, kind: .video), to: 0, segment: 0, shift: 0)
        #expect(try builder.layout().head.firstRange(of: video.descriptions[0].entry) != nil)
    }

    @Test("have the edits of their source and begin later where that is wanted")
    func edits() throws {
        let samples = MadeMedia.sound(from: 48_000)
        var track = OutputTrack(number: 1, of: samples)
        (track.presentationStart, track.delay) = (1024, 96_000)
        let writer = FragmentWriter(tracks: [track])
        let movie = try MovieTrack.all(in: writer.initializationSection)
        #expect(movie[0].presentationStart == 1024 && movie[0].delay == 96_000)
        let segment = writer.segment([samples], sequenceNumber: 1, shift: 90_000)
        #expect(try SegmentFragments(segment, movie: movie).tracks[0].samples[0].decodeTime == 96_000)
    }

    @Test("carry timed ID3 tags as event messages on their clock")
    func tags() throws {
        let samples = [MadeMedia.sound()]
        let tag = TimedTag(time: 180_000, bytes: Array("ID3 and more".utf8))
        let segment = Self.writer(samples).segment(samples, sequenceNumber: 1, shift: 90_000, tags: [tag])
        let box = try #require(segment.firstRange(of: "emsg".utf8)).upperBound
        #expect(try #require(segment.firstRange(of: "moof".utf8)).lowerBound > box)
        let head: [UInt8] = [1, 0, 0, 0, 0, 1, 0x5F, 0x90, 0, 0, 0, 0, 0, 4, 0x1E, 0xB0]
        #expect(segment[box..<box + 16].elementsEqual(head))
        #expect(segment.firstRange(of: "https://aomedia.org/emsg/ID3\0\0ID3 and more".utf8) != nil)
        #expect(try SegmentFragments(segment, movie: Self.movie(samples)).samples(of: segment).count == 1)
    }

    @Test("go on from those before where a fragment tells no time")
    func time() throws {
        let samples = [MadeMedia.sound(from: 5000, count: 3)]
        let movie = try Self.movie(samples)
        var segment = Self.writer(samples).segment(samples, sequenceNumber: 1)
        let second = segment
        let place = try #require(second.firstRange(of: "tfdt".utf8)).lowerBound
        var untimed = second
        untimed.replaceSubrange(place..<place + 4, with: "free".utf8)
        segment += untimed
        let read = try SegmentFragments(segment, movie: movie)
        #expect(read.tracks[0].samples.map(\.decodeTime) == (0..<6).map { 5000 + $0 * 1024 })
        #expect(
            try SegmentFragments(untimed, movie: movie, times: [1: 99]).tracks[0].samples[0].decodeTime == 99)
    }

    /// Two tracks of which the second does not say where its data begin.
    private static func fragment(flags: Int, base: Int? = nil) -> [UInt8] {
        func track(_ id: Int, _ own: [UInt8], run: [Int], runFlags: Int) -> [UInt8] {
            SampleMedia.box("traf", own + SampleMedia.fullBox("trun", flags: runFlags, run))
        }
        func header(_ id: Int) -> [UInt8] {
            guard let base else { return SampleMedia.fullBox("tfhd", flags: flags, [id]) }
            return SampleMedia.fullBox("tfhd", flags: flags | 1, [id, 0, base])
        }
        func moof(_ offset: Int) -> [UInt8] {
            SampleMedia.movieFragment([
                track(1, header(1), run: [2, offset, 5, 6], runFlags: 0x201),
                track(
                    2, header(2), run: [1, flags == 0 && base == nil ? 0 : offset + 11, 4], runFlags: 0x201),
            ])
        }
        let data = Array("AAAAABBBBBBCCCC".utf8)
        return moof(moof(0).count + 8) + SampleMedia.box("mdat", data)
    }

    @Test("of a later track begin where those of the track before end, unless its fragment says otherwise")
    func bases() throws {
        let movie = try Self.movie([MadeMedia.pictures(), MadeMedia.sound()])
        let unrelated = SampleMedia.box("free", OriginResource.pattern(50))
        let variants = [
            Self.fragment(flags: 0), Self.fragment(flags: 0x20000), Self.fragment(flags: 0, base: 58),
            // It counts from the beginning of a file of which the segment is a part.
            Self.fragment(flags: 0, base: 1 << 20),
        ]
        for variant in variants {
            let segment = unrelated + variant
            let samples = try SegmentFragments(segment, movie: movie).samples(of: segment)
            #expect(samples.map(\.bytes) == [Array("AAAAABBBBBB".utf8), Array("CCCC".utf8)])
        }
    }

    @Test("are found without their bytes, and lie in the segment in runs")
    func unread() throws {
        var samples = [MadeMedia.pictures(), MadeMedia.sound()]
        // A fragment with more than is read at once.
        samples[0].bytes = OriginResource.pattern(200_000)
        samples[0].samples = (0..<2000).map {
            MediaSample(
                decodeTime: Int64($0) * 3000, presentationOffset: 0, duration: 3000, size: 100, isSync: true,
                description: 0)
        }
        let movie = try Self.movie(samples)
        let writer = Self.writer(samples)
        let segment =
            SampleMedia.box("free", [1, 2, 3]) + writer.segment(samples, sequenceNumber: 1)
            + writer.segment(samples, sequenceNumber: 2)
        let counted = CountedBytes(bytes: segment)
        let found = try SegmentFragments(reading: counted, movie: movie)
        let read = try SegmentFragments(segment, movie: movie)
        #expect(found.tracks.map(\.samples) == read.tracks.map(\.samples))
        #expect(found.tracks.map(\.offsets) == read.tracks.map(\.offsets))
        #expect(counted.count > 400_000 && counted.read.withLock { $0 } < 200_000)
        for (track, whole) in zip(found.tracks, read.samples(of: segment)) {
            #expect(track.runs.count == 2 && track.runs[0].start == 0)
            #expect(track.runs[1].start == track.runs[0].place.count)
            #expect(track.runs.flatMap { segment[$0.place] } == whole.bytes)
        }
    }

    @Test("that are cut off, encrypted, or of unknown tracks are told from others")
    func refused() throws {
        let samples = [MadeMedia.sound(count: 4)]
        let writer = Self.writer(samples)
        let segment = writer.segment(samples, sequenceNumber: 1)
        let movie = try Self.movie(samples)
        #expect(throws: SampleError.unknownContainer) { try SegmentFragments([1, 2, 3], movie: movie) }
        #expect(throws: SampleError.self) { try SegmentFragments(segment.dropLast(1), movie: movie) }
        #expect(throws: SampleError.self) { try SegmentFragments(segment, movie: []) }
        #expect(throws: SampleError.lacksConfiguration) { try MovieTrack.all(in: segment) }
        var locked = writer.initializationSection
        let name = try #require(locked.firstRange(of: "mp4a".utf8))
        locked.replaceSubrange(name, with: "enca".utf8)
        let encrypted = try MovieTrack.all(in: locked)
        #expect(throws: SampleError.encrypted) { try SegmentFragments(segment, movie: encrypted) }
    }
}

extension SegmentFragments {
    fileprivate init(_ bytes: ArraySlice<UInt8>, movie: [MovieTrack]) throws {
        try self.init(Array(bytes), movie: movie)
    }
}

/// A segment that knows how many of its bytes were read.
private struct CountedBytes: MediaBytes {
    let bytes: [UInt8]
    let read = Lock(0)

    var count: Int { bytes.count }

    func read(at offset: Int, count: Int) throws(SampleError) -> [UInt8] {
        read.withLock { $0 += count }
        return ArrayBytes(bytes).read(at: offset, count: count)
    }
}
