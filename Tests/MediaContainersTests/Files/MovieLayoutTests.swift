import MediaContainers
import TestSupport
import Testing

@Suite("A progressive file that is laid out")
struct MovieLayoutTests {
    @Test("has each sample of its segments where its tables say")
    func samples() throws {
        let film = try MadeFilm.usual()
        let tables = ReadTables(bytes: film.whole)
        for track in 0..<2 {
            #expect(tables.samples(of: track) == film.segments.flatMap { $0[track].each })
        }
    }

    @Test("is the same when it is read in any ranges", arguments: [1, 7, 600, 4096, 100_000])
    func ranges(_ step: Int) throws {
        let film = try MadeFilm.usual()
        var (joined, offset) = ([UInt8](), UInt64(0))
        while offset < film.layout.length {
            let end = min(offset + UInt64(step), film.layout.length)
            joined += film.bytes(offset..<end)
            offset = end
        }
        #expect(joined == film.whole)
        #expect(UInt64(joined.count) == film.layout.length)
        #expect(film.bytes(film.layout.length..<film.layout.length + 10).isEmpty)
    }

    @Test("decodes and shows samples when their source does")
    func times() throws {
        let film = try MadeFilm.usual()
        let tables = ReadTables(bytes: film.whole)
        #expect(tables.times(of: 0) == (0..<150).map { $0 * 3600 })
        #expect(tables.times(of: 1) == (0..<282).map { $0 * 1024 })
        // The first picture is shown 7200 ticks after it is decoded, and the one after it 2400 ticks after that.
        #expect(tables.edits(of: 0).map { $0[1] } == [-1, 2400])
        #expect(tables.edits(of: 1).map { $0[1] } == [0])
    }

    @Test("has sound begin later when it does so in the source")
    func delay() throws {
        let film = try MadeFilm([[MadeMedia.pictures(), MadeMedia.sound(from: 48_000)]])
        let edits = ReadTables(bytes: film.whole).edits(of: 1)
        #expect(edits.first == [90_000, -1])
        #expect(edits.last?.last == 0)
    }

    @Test("keeps sound together while its clock is off by less than half a frame")
    func drift() throws {
        let film = try MadeFilm([
            [MadeMedia.pictures(), MadeMedia.sound()],
            [MadeMedia.pictures(from: 180_000), MadeMedia.sound(from: 94 * 1024 + 400)],
        ])
        #expect(ReadTables(bytes: film.whole).times(of: 1) == (0..<188).map { $0 * 1024 })
    }

    @Test("does not lose time where samples come from another timescale")
    func timescales() throws {
        var other = MadeMedia.sound(from: 88_200, count: 3000)
        other.timescale = 44_100
        let film = try MadeFilm([
            [MadeMedia.pictures(), MadeMedia.sound(count: 1)],
            [MadeMedia.pictures(from: 180_000), other],
        ])
        let times = ReadTables(bytes: film.whole).times(of: 1)
        try #require(times.count == 3001)
        // Behind the first frame each of the others takes 1024 / 44,100 seconds.
        let length = Double(times[3000] - times[1]) / 48_000
        let expected: Double = 2999 * 1024 / 44_100
        #expect(abs(length - expected) < 0.0001)
    }

    @Test("has the roll distance of its source, and that of Opus, for all samples")
    func roll() throws {
        var track = OutputTrack(number: 1, of: MadeMedia.sound())
        track.rollDistance = -1
        let section = FragmentWriter(tracks: [track]).initializationSection
        let read = try #require(try MovieTrack.all(in: section).first)
        #expect(read.rollDistance == -1)
        let index = SampleIndex(
            tracks: [.init(MadeMedia.sound(), kind: .audio, rollDistance: -1)], clearSize: 1, wraps: false)
        #expect(try SampleIndex(decoding: index.encoded) == index)
        var builder = MovieLayoutBuilder(tracks: [track])
        try builder.add(index.tracks[0], to: 0, segment: 0, shift: 0)
        let head = try builder.layout().head
        let group = try #require(head.firstRange(of: "sbgp".utf8)).upperBound + 4
        let expected: [UInt8] = Array("roll".utf8) + [0, 0, 0, 1, 0, 0, 0, 94, 0, 0, 0, 1]
        #expect(head[group..<group + 16].elementsEqual(expected))
        track.rollDistance = 0
        #expect(FragmentWriter(tracks: [track]).initializationSection.firstRange(of: "sgpd".utf8) == nil)
        track.descriptions[0].codec = "opus"
        let opus = FragmentWriter(tracks: [track]).initializationSection
        #expect(try MovieTrack.all(in: opus).first?.rollDistance == -4)
    }

    @Test("has the transformation of its source, so that pictures are turned as they were")
    func matrix() throws {
        let turned: [UInt32] = [0, 0x1_0000, 0, 0xFFFF_0000, 0, 0, 0xF0_0000, 0, 0x4000_0000]
        var track = OutputTrack(number: 1, of: MadeMedia.pictures())
        #expect(try MovieTrack.all(in: FragmentWriter(tracks: [track]).initializationSection)[0].matrix == [])
        track.matrix = turned
        let section = FragmentWriter(tracks: [track]).initializationSection
        #expect(try MovieTrack.all(in: section).first?.matrix == turned)
        let index = SampleIndex(
            tracks: [.init(MadeMedia.pictures(), kind: .video, matrix: turned)], clearSize: 1, wraps: false)
        #expect(try SampleIndex(decoding: index.encoded) == index)
        var builder = MovieLayoutBuilder(tracks: [track])
        try builder.add(index.tracks[0], to: 0, segment: 0, shift: 0)
        #expect(try MovieTrack.all(in: try builder.layout().head).first?.matrix == turned)
    }

    @Test("leaves a gap of the source in its sound, and leaves out frames that overlap")
    func gaps() throws {
        let gap = try MadeFilm([
            [MadeMedia.pictures(), MadeMedia.sound()],
            [MadeMedia.pictures(from: 180_000), MadeMedia.sound(from: 96 * 1024)],
        ])
        let times = ReadTables(bytes: gap.whole).times(of: 1)
        #expect(times[94] - times[93] == 3 * 1024)
        let overlap = try MadeFilm([
            [MadeMedia.pictures(), MadeMedia.sound()],
            [MadeMedia.pictures(from: 180_000), MadeMedia.sound(from: 91 * 1024, seed: 9)],
        ])
        let tables = ReadTables(bytes: overlap.whole)
        #expect(tables.times(of: 1) == (0..<185).map { $0 * 1024 })
        #expect(tables.samples(of: 1).suffix(91) == overlap.segments[1][1].each.suffix(91))
    }

    @Test("has times of decoding that grow where those of the source do not")
    func monotonic() throws {
        let film = try MadeFilm([
            [MadeMedia.pictures()], [MadeMedia.pictures(from: 176_400)],
        ])
        let times = ReadTables(bytes: film.whole).times(of: 0)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(times.count == 100)
    }

    @Test("has each sample of segments that overlap where its tables say")
    func overlapping() throws {
        let film = try MadeFilm([
            [MadeMedia.pictures()], [MadeMedia.pictures(from: 18_000, seed: 2)],
        ])
        #expect(film.layout.chunks.map(\.segment) == [0, 0, 0, 1, 1, 1])
        let tables = ReadTables(bytes: film.whole)
        #expect(tables.samples(of: 0) == film.segments.flatMap { $0[0].each })
    }

    @Test("says from which segment on a codec is another one")
    func codecs() throws {
        var other = MadeMedia.pictures(from: 180_000)
        other.descriptions[0].entry.replaceSubrange(4..<8, with: "hvc1".utf8)
        other.descriptions[0].codec = "hvc1"
        #expect(throws: MovieLayoutError.codecChanges(segment: 1, from: "avc1", to: "hvc1")) {
            try MadeFilm([[MadeMedia.pictures()], [other]])
        }
    }

    @Test("has a description for each of those that change within a codec")
    func descriptions() throws {
        var other = MadeMedia.pictures(from: 180_000)
        other.descriptions[0].entry[40] = 7
        let film = try MadeFilm([[MadeMedia.pictures()], [other], [MadeMedia.pictures(from: 360_000)]])
        #expect(film.layout.tracks[0].descriptions.count == 2)
        let table = ReadTables(bytes: film.whole)
        let runs = table.boxes(["moov", "trak", "mdia", "minf", "stbl", "stsc"])[0].lowerBound
        let used = (0..<table.number(runs + 4, 4)).map { table.number(runs + 16 + 12 * $0, 4) }
        #expect(used.first == 1 && used.contains(2) && used.last == 1)
    }

    @Test("can't be made of nothing")
    func empty() {
        let builder = MovieLayoutBuilder(tracks: [])
        #expect(throws: MovieLayoutError.empty) { try builder.layout() }
    }
}
