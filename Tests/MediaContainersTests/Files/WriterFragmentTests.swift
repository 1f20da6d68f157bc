import Testing

@testable import MediaContainers

@Suite("Fragments that are written")
struct WriterFragmentTests {
    private static func segment(_ samples: TrackSamples, shift: Int64 = 0) -> ReadTables {
        let writer = FragmentWriter(tracks: [OutputTrack(number: 1, of: samples)])
        return ReadTables(bytes: writer.segment([samples], sequenceNumber: 1, shift: shift))
    }

    /// What three frames of sound have, after a change: the flags of the track's header and of its run.
    private func flags(_ change: (inout TrackSamples) -> Void) throws -> [Int] {
        var samples = MadeMedia.sound(count: 3)
        change(&samples)
        let tables = Self.segment(samples)
        let header = try #require(tables.boxes(["moof", "traf", "tfhd"]).first)
        let run = try #require(tables.boxes(["moof", "traf", "trun"]).first)
        return [tables.number(header.lowerBound + 1, 3), tables.number(run.lowerBound + 1, 3)]
    }

    @Test("tell of each sample only what differs within its run")
    func fields() throws {
        let alike = try flags { _ in }
        #expect(alike == [0x02_002A, 0x201])
        let durations = try flags { $0.samples[1].duration = 5 }
        #expect(durations == [0x02_0022, 0x301])
        let kinds = try flags { $0.samples[1].isSync = false }
        #expect(kinds == [0x02_002A, 0x601])
        let offsets = try flags { $0.samples[2].presentationOffset = -1 }
        #expect(offsets == [0x02_002A, 0xA01])
        let dependent = try flags { samples in
            for index in samples.samples.indices { samples.samples[index].isSync = false }
        }
        #expect(dependent == [0x02_002A, 0x201])
    }

    @Test("tell once whether decoding can begin with the samples of a run", arguments: [true, false])
    func kinds(_ isSync: Bool) throws {
        var samples = MadeMedia.sound(count: 3)
        for index in samples.samples.indices { samples.samples[index].isSync = isSync }
        let tables = Self.segment(samples)
        let header = try #require(tables.boxes(["moof", "traf", "tfhd"]).first).lowerBound
        // Behind the number, the description and the duration.
        #expect(tables.number(header + 16, 4) == (isSync ? 0x0200_0000 : 0x0101_0000))
        let movie = try MovieTrack.all(
            in: FragmentWriter(tracks: [OutputTrack(number: 1, of: samples)]).initializationSection)
        let read = try SegmentFragments(tables.bytes, movie: movie).tracks
        #expect(read.map(\.samples) == [samples.samples])
    }

    @Test("have a run for each stretch of samples with one description")
    func runs() throws {
        var samples = MadeMedia.sound(count: 4)
        samples.descriptions.append(samples.descriptions[0])
        samples.descriptions[1].entry[27] = 7
        for index in 1...2 { samples.samples[index].description = 1 }
        let tables = Self.segment(samples)
        let headers = tables.boxes(["moof", "traf", "tfhd"]).map(\.lowerBound)
        #expect(headers.map { tables.number($0 + 8, 4) } == [1, 2, 1])
        let runs = tables.boxes(["moof", "traf", "trun"]).map(\.lowerBound)
        #expect(runs.map { tables.number($0 + 4, 4) } == [1, 2, 1])
        let fragment = try #require(tables.boxes(["moof"]).first)
        // Offsets count from the beginning of the fragment, which is followed by the header of the data.
        let sizes = samples.samples.map { Int($0.size) }
        let start = fragment.count + 8 + 8
        let places = [start, start + sizes[0], start + sizes[0] + sizes[1] + sizes[2]]
        #expect(runs.map { tables.number($0 + 8, 4) } == places)
    }

    @Test("begin at zero at the earliest", arguments: [(0, 0), (48_000, 0), (48_001, 1)] as [(Int64, Int)])
    func times(_ start: Int64, time: Int) throws {
        let tables = Self.segment(MadeMedia.sound(from: start, count: 3), shift: -90_000)
        let box = try #require(tables.boxes(["moof", "traf", "tfdt"]).first)
        #expect(tables.number(box.lowerBound, 1) == 1 && tables.number(box.lowerBound + 4, 8) == time)
    }

    @Test(
        "have an empty edit for a delay, and one of the media where there is any",
        arguments: [
            (0, 0, []), (0, 1024, [[0, 1024]]), (48_000, 0, [[90_000, -1], [0, 0]]),
            (48_000, 1024, [[90_000, -1], [0, 1024]]),
        ] as [(Int64, Int64, [[Int]])])
    func edits(_ delay: Int64, start: Int64, _ rows: [[Int]]) {
        var track = OutputTrack(number: 1, of: MadeMedia.sound())
        (track.delay, track.presentationStart) = (delay, start)
        let tables = ReadTables(bytes: FragmentWriter(tracks: [track]).initializationSection)
        let found: [[Int]] = tables.boxes(["moov", "trak", "edts", "elst"]).flatMap { box in
            (0..<tables.number(box.lowerBound + 4, 4)).map { row in
                let place = box.lowerBound + 8 + 20 * row
                return [tables.number(place, 8), tables.number(place + 8, 8)]
            }
        }
        #expect(found == rows)
    }
}
