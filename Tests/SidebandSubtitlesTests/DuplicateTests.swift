import SidebandSubtitles
import Testing

@Suite("A cue in two segments")
struct DuplicateTests {
    /// The cues of two segments of 6 seconds, from times in milliseconds.
    private func merged(_ first: [Range<Int>], _ second: [Range<Int>], gap: Bool = false) throws -> [Range<
        Int
    >] {
        var segments = Segments()
        for times in [first] + (gap ? [[]] : []) + [second] {
            let cues = times.map { time in
                "\(CueTime(milliseconds: time.lowerBound)) --> \(CueTime(milliseconds: time.upperBound))\nx"
            }
            try segments.add(ticks: 900_000, cues.joined(separator: "\n\n"))
        }
        return segments.merger.merged().track.cues.map { $0.start.milliseconds..<$0.end.milliseconds }
    }

    @Test(
        "is the same with a difference of one millisecond, and another one with two", arguments: 0..<6
    )
    func rounding(offset: Int) throws {
        let (start, end) = (5000 + offset, 7000 + offset)
        for (early, late) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1)] {
            #expect(try merged([start..<end], [start + early..<end + late]).count == 1)
        }
        for (early, late) in [(2, 0), (-2, 0), (0, 2), (0, -2)] {
            #expect(try merged([start..<end], [start + early..<end + late]).count == 2)
        }
    }

    @Test("is one where it was cut at the border between them, to a tenth of a second")
    func pieces() throws {
        #expect(try merged([5000..<6000], [6000..<7000]) == [5000..<7000])
        for border in [5900, 6100] { #expect(try merged([5000..<border], [border..<7000]) == [5000..<7000]) }
        for border in [5899, 6101] { #expect(try merged([5000..<border], [border..<7000]).count == 2) }
        #expect(try merged([5000..<6001], [6002..<7000]) == [5000..<7000])
        #expect(try merged([5000..<6001], [6003..<7000]).count == 2)
        #expect(try merged([6000..<6001], [6000..<7000]).count == 2)
    }

    @Test("is one where the second piece has the whole time")
    func whole() throws {
        for end in [5900, 6000, 6100] { #expect(try merged([5000..<end], [5000..<7000]) == [5000..<7000]) }
        for end in [5899, 6101] { #expect(try merged([5000..<end], [5000..<7000]).count == 2) }
        #expect(try merged([5000..<6000], [5001..<7000]) == [5000..<7000])
        #expect(try merged([5000..<6000], [5002..<7000]).count == 2)
    }

    @Test("goes on from the longest of its kind, and only from the segment just before")
    func longest() throws {
        #expect(try merged([1000..<6000, 2000..<3000], [6000..<7000]) == [1000..<7000, 2000..<3000])
        #expect(try merged([2000..<3000, 2500..<6000], [6000..<7000]) == [2000..<3000, 2500..<7000])
        #expect(try merged([1000..<6000, 2000..<6000], [6000..<7000]) == [1000..<7000, 2000..<6000])
        #expect(try merged([1000..<12_000], [12_000..<13_000], gap: true).count == 2)
    }

    @Test("is not one within a segment")
    func within() throws {
        #expect(try merged([1000..<2000, 1000..<2000], []).count == 2)
    }

    @Test("is left out when it is over before the presentation starts")
    func before() throws {
        var segments = Segments()
        try segments.add(ticks: 810_000, "00:00.000 --> 00:01.000\na\n\n00:00.000 --> 00:01.001\nb")
        #expect(segments.cues == ["0.0 0.001 b"])
    }
}

@Suite("A segment's borders")
struct SegmentBorderTests {
    @Test("keep a cue that begins with an empty segment in that segment and in the next one")
    func noLength() throws {
        let track = SubtitleTrack(cues: [cue(6, 7, "x")])
        let segments = SegmentedTrack(track, segmentStarts: [0, 6, 6, 12], writer: WebVTTWriter())
        let counts = try (0..<4).map { try file(text(segments.segment($0))).track.cues.count }
        #expect(counts == [0, 1, 1, 0])
    }

    @Test("leave a cue that ends with a segment, or begins with the next, in one of them")
    func exact() throws {
        let track = SubtitleTrack(cues: [
            cue(0, 6, "a"), cue(6, 12, "b"), cue(5.999, 6.001, "c"), cue(6, 6, "d"),
        ])
        let segments = SegmentedTrack(track, segmentStarts: [0, 6, 12], writer: WebVTTWriter())
        let texts = try (0..<3).map { try file(text(segments.segment($0))).track.cues.map(\.text) }
        #expect(texts == [["a", "c"], ["c", "b", "d"], []])
    }
}
