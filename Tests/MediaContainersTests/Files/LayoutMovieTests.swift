import TestSupport
import Testing

@testable import MediaContainers

@Suite("The boxes before the samples of a file")
struct LayoutMovieTests {
    /// A file of one track of sound, which begins at a time; all in ticks of 90 kHz. It has no bytes.
    private static func film(_ frames: [(size: Int, duration: Int)], from start: Int = 0, shift: Double = 0)
        throws -> MovieLayout
    {
        var (samples, time) = ([MediaSample](), start)
        for frame in frames {
            samples.append(
                MediaSample(
                    decodeTime: Int64(time), duration: UInt32(frame.duration), size: UInt32(frame.size),
                    isSync: true))
            time += frame.duration
        }
        let track = TrackSamples(
            number: 1, timescale: 90_000, descriptions: [try MadeSound.layer3()], samples: samples)
        var builder = MovieLayoutBuilder(tracks: [OutputTrack(number: 1, of: track)])
        try builder.add(SampleIndex.Track(track, kind: .audio), to: 0, segment: 0, shift: shift)
        return try builder.layout()
    }

    private static let table = ["moov", "trak", "mdia", "minf", "stbl"]

    @Test(
        "have edits of 64 bits where one does not fit into 31", arguments: [(0x7FFF_FFFF, 4), (1 << 31, 8)])
    func longEdits(_ start: Int, size: Int) throws {
        let tables = ReadTables(bytes: try Self.film([(10, 900)], from: start).head)
        let box = try #require(tables.boxes(["moov", "trak", "edts", "elst"]).first)
        try #require(box.count == 8 + 2 * (2 * size + 4))
        #expect(tables.number(box.lowerBound, 1) == (size == 8 ? 1 : 0))
        #expect(tables.number(box.lowerBound + 4, 4) == 2)
        let rows = (0..<2).map { row in
            let place = box.lowerBound + 8 + row * (2 * size + 4)
            return [tables.number(place, size), tables.number(place + size, size)]
        }
        // The first one is empty: its time is -1.
        #expect(rows == [[start, size == 8 ? -1 : 0xFFFF_FFFF], [900, 0]])
    }

    @Test("have an edit that leaves out the samples before 0")
    func before() throws {
        let film = try Self.film([(10, 90_000), (10, 90_000)], shift: -0.5)
        let tables = ReadTables(bytes: film.head)
        let box = try #require(tables.boxes(["moov", "trak", "edts", "elst"]).first)
        #expect(tables.number(box.lowerBound + 4, 4) == 1)
        #expect(tables.number(box.lowerBound + 8, 4) == 135_000)
        #expect(tables.number(box.lowerBound + 12, 4) == 45_000)
    }

    @Test("have edits of 64 bits also for a long track", arguments: [(0x7FFF_FFFF, 0), (1 << 31, 1)])
    func longTrack(_ duration: Int, version: Int) throws {
        let tables = ReadTables(bytes: try Self.film([(10, duration)]).head)
        let box = try #require(tables.boxes(["moov", "trak", "edts", "elst"]).first)
        #expect(tables.number(box.lowerBound, 1) == version && tables.number(box.lowerBound + 4, 4) == 1)
    }

    @Test(
        "have a duration of 64 bits where 32 do not hold it, or would say that it is unknown",
        arguments: [(0xFFFF_FFFE, 0), (0xFFFF_FFFF, 1)])
    func longDurations(_ end: Int, version: Int) throws {
        let film = try Self.film([(10, 900)], from: end - 900)
        #expect(film.duration == Double(end) / 90_000)
        let tables = ReadTables(bytes: film.head)
        let movie = try #require(tables.boxes(["moov", "mvhd"]).first).lowerBound
        let track = try #require(tables.boxes(["moov", "trak", "tkhd"]).first).lowerBound
        let media = try #require(tables.boxes(["moov", "trak", "mdia", "mdhd"]).first).lowerBound
        #expect([movie, track, media].map { tables.number($0, 1) } == [version, version, 0])
        let size = version == 0 ? 4 : 8
        // Behind the two times stand the timescale, or the number of the track and a reserved one.
        #expect(tables.number(movie + 4 + 2 * size, 4) == 90_000)
        #expect(tables.number(movie + 4 + 2 * size + 4, size) == end)
        #expect(tables.number(track + 4 + 2 * size, 4) == 1)
        #expect(tables.number(track + 4 + 2 * size + 8, size) == end)
        // The media last as long as their samples.
        #expect(tables.number(media + 4 + 8 + 4, 4) == 900)
    }

    @Test(
        "have places of 64 bits in a file that is longer than 32 bits tell",
        arguments: [(0, "stco", 4), (1, "co64", 8)])
    func longPlaces(_ more: Int, name: String, size: Int) throws {
        let short = try Self.film([(1, 900)]).head.count
        let sample = 0xFFFF_FFFF - short + more
        let film = try Self.film([(sample, 900)])
        let tables = ReadTables(bytes: film.head)
        let box = try #require(tables.boxes(Self.table + [name]).first)
        #expect(box.count == 8 + size)
        #expect(tables.number(box.lowerBound + 8, size) == film.head.count)
        #expect(film.head.count == short + size - 4)
        #expect(film.length == UInt64(film.head.count + sample))
        // The head ends with the length of the box of the samples.
        #expect(tables.number(film.head.count - 8, 8) == sample + 16)
    }

    @Test(
        "have samples together in chunks that begin within three quarters of a second",
        arguments: [(33_750, [2, 1]), (33_749, [3])] as [(Int, [UInt32])])
    func chunks(_ duration: Int, _ counts: [UInt32]) throws {
        let frames = (0..<3).map { _ in (size: 10, duration: duration) }
        #expect(try Self.film(frames).chunks.map(\.count) == counts)
    }
}

@Suite("The headers of tracks in a file")
struct LayoutTrackTests {
    private static let tracks = [
        OutputTrack(number: 7, of: MadeMedia.pictures()), OutputTrack(number: 2, of: MadeMedia.sound()),
    ]

    /// The boxes before the samples of a progressive file, and those before fragments.
    private static func heads(_ tracks: [OutputTrack]) throws -> [ReadTables] {
        var builder = MovieLayoutBuilder(tracks: tracks)
        let index = MadeMedia.index([MadeMedia.pictures(), MadeMedia.sound()])
        for (number, source) in index.tracks.enumerated() {
            try builder.add(source, to: number, segment: 0, shift: 0)
        }
        let section = FragmentWriter(tracks: tracks).initializationSection
        return [ReadTables(bytes: try builder.layout().head), ReadTables(bytes: section)]
    }

    @Test("leave the number behind the largest one to the next track")
    func nextNumber() throws {
        for tables in try Self.heads(Self.tracks) {
            let header = try #require(tables.boxes(["moov", "mvhd"]).first)
            #expect(tables.number(header.upperBound - 4, 4) == 8)
        }
    }

    @Test("have the full volume of sound, and a size in pixels of pictures")
    func volumes() throws {
        for tables in try Self.heads(Self.tracks) {
            let headers = tables.boxes(["moov", "trak", "tkhd"])
            try #require(headers.map(\.count) == [84, 84])
            #expect(headers.map { tables.number($0.lowerBound + 36, 2) } == [0, 0x100])
            #expect(headers.map { tables.number($0.lowerBound + 76, 4) } == [640 << 16, 0])
            #expect(headers.map { tables.number($0.lowerBound + 80, 4) } == [360 << 16, 0])
        }
    }

    @Test("let players select a track by default, unless it is to be off, and have its group")
    func selection() throws {
        var tracks = Self.tracks
        tracks[1].isEnabled = false
        tracks[1].alternateGroup = 5
        for tables in try Self.heads(tracks) {
            let headers = tables.boxes(["moov", "trak", "tkhd"])
            // The second bit: the track is a part of the presentation.
            #expect(headers.map { tables.number($0.lowerBound, 4) } == [3, 2])
            #expect(headers.map { tables.number($0.lowerBound + 34, 2) } == [0, 5])
        }
        let plain = OutputTrack(number: 1, timescale: 1000, kind: .text, descriptions: [])
        #expect(plain.isEnabled && plain.alternateGroup == 0)
    }

    @Test(
        "have pictures as wide as their pixels make them, where these are no squares",
        arguments: [
            ([4, 3], 853), ([1, 1], 640), ([16, 15], 683), ([0, 1], 640), ([1, 0], 640),
            ([1_048_575, 524_288], 1280), ([1_048_576, 524_288], 640), ([4], 640),
        ] as [([Int], Int)])
    func pixels(_ ratio: [Int], width: Int) {
        let known = MadeMedia.video
        let box = SampleMedia.box("pasp", ratio.flatMap { ProtectedMovie.number($0, 4) })
        let entry = SampleMedia.box("avc1", Array(known.entry.dropFirst(8)) + box)
        let description = SampleDescription(entry: entry, codec: known.codec, shape: known.shape)
        let track = OutputTrack(number: 1, timescale: 1000, kind: .video, descriptions: [description])
        #expect(track.shownSize.width == width && track.shownSize.height == 360)
    }
}
