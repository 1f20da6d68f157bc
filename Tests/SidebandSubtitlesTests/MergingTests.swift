import SidebandSubtitles
import Testing

/// Adds segments of six seconds, one after the other.
struct Segments {
    var merger: SegmentMerger
    private var start = 0.0

    init(firstTicks: Int? = 900_000, start: Double = 0, unmappedTimes: UnmappedTimes = .mediaClock) {
        let clock = MediaClock(firstTicks: firstTicks)
        merger = SegmentMerger(clocks: [0: clock], unmappedTimes: unmappedTimes)
        self.start = start
    }

    mutating func add(_ text: String?, discontinuity: Int = 0, initialization: String? = nil) throws {
        try add(text.map { Array($0.utf8) }, discontinuity, initialization)
    }

    private mutating func add(_ bytes: [UInt8]?, _ discontinuity: Int, _ initialization: String?) throws {
        let place = SegmentPlace(start: start, duration: 6, discontinuity: discontinuity)
        try merger.add(bytes, at: place, initialization: initialization.map { Array($0.utf8) })
        start += 6
    }

    /// Adds a segment whose map is at 0 local time.
    mutating func add(ticks: Int, _ body: String) throws {
        try add("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(ticks)\n\n\(body)")
    }

    var cues: [String] { summary(merger.merged().track.cues) }
}

@Suite("Merging segments")
struct MergingTests {
    static let wrap = 1 << 33
    /// The first timestamp of the media, and what the first segment's map says.
    static let clocks: [(Int, Int)] = [
        (900_000, 900_000), (wrap - 90_000, wrap - 90_000), (wrap - 90_000, -90_000), (0, wrap),
        (wrap * 3, 0),
        (115_408, 115_408 - wrap), (wrap - 1, 2 * wrap - 1),
    ]

    @Test(
        "subtracts the first timestamp of the media, wherever the 33 bits wrap",
        arguments: clocks)
    func wraps(first: Int, map: Int) throws {
        var segments = Segments(firstTicks: first)
        try segments.add(ticks: map, "00:01.000 --> 00:02.000\na")
        try segments.add(ticks: map + 540_000, "00:01.000 --> 00:02.000\nb")
        try segments.add(ticks: (map + 1_080_000) % Self.wrap, "00:01.000 --> 00:02.000\nc")
        #expect(segments.cues == ["1.0 2.0 a", "7.0 8.0 b", "13.0 14.0 c"])
    }

    @Test("takes the wrap nearest to a segment late in a long presentation")
    func lateSegment() throws {
        let seconds = 200_000.0
        var segments = Segments(firstTicks: 900_000, start: seconds)
        // The discontinuity started 200,000 seconds before: more than two wraps.
        segments.merger = SegmentMerger(clocks: [0: MediaClock(start: 0, firstTicks: 900_000)])
        try segments.add(ticks: (900_000 + 200_000 * 90_000) % Self.wrap, "00:01.000 --> 00:02.000\na")
        try segments.add(
            "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:900000\n\n55:33:27.000 --> 55:33:28.000\nb")
        #expect(segments.cues == ["200001.0 200002.0 a", "200007.0 200008.0 b"])
    }

    @Test("leaves a cue in place that lies within a very long segment")
    func longSegment() throws {
        var merger = SegmentMerger(clocks: [0: MediaClock(firstTicks: 0)])
        let place = SegmentPlace(start: 0, duration: 360_000)
        try merger.add(Array("WEBVTT\n\n92:00:00.000 --> 92:00:01.000\nx".utf8), at: place)
        #expect(summary(merger.merged().track.cues) == ["331200.0 331201.0 x"])
    }

    @Test("without the media's clock takes the first map as the start")
    func unknownClock() throws {
        var segments = Segments(firstTicks: nil)
        try segments.add("")
        try segments.add(ticks: 1_234_567, "00:07.000 --> 00:08.000\na")
        try segments.add(ticks: 1_234_567, "00:13.000 --> 00:14.000\nb")
        #expect(segments.cues == ["7.0 8.0 a", "13.0 14.0 b"])
    }

    @Test("reads times without a map as the caller wants, and counts such segments")
    func unmapped() throws {
        var clock = Segments(firstTicks: 900_000)
        try clock.add("WEBVTT\n\n00:11.000 --> 00:12.000\na")
        #expect(clock.cues == ["1.0 2.0 a"])
        #expect(clock.merger.merged().unmappedSegments == 1)
        var presentation = Segments(firstTicks: 900_000, unmappedTimes: .presentation)
        try presentation.add("WEBVTT\n\n00:01.000 --> 00:02.000\na")
        #expect(presentation.cues == ["1.0 2.0 a"])
    }

    @Test("starts each discontinuity with its own clock")
    func discontinuities() throws {
        var merger = SegmentMerger(clocks: [
            4: MediaClock(firstTicks: 900_000), 5: MediaClock(start: 5.5, firstTicks: 0),
        ])
        let text = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:%\n\n00:01.000 --> 00:02.000\n"
        for (index, ticks) in [(4, "900000"), (5, "0"), (6, "77")] {
            let place = SegmentPlace(start: Double(index - 4) * 6, duration: 6, discontinuity: index)
            try merger.add(Array((text.replacing("%", with: ticks) + "same").utf8), at: place)
        }
        #expect(summary(merger.merged().track.cues) == ["1.0 2.0 same", "6.5 7.5 same", "13.0 14.0 same"])
    }

    @Test("keeps a cue of several segments once, with any identifier")
    func duplicates() throws {
        var segments = Segments()
        for number in 1...3 {
            try segments.add(ticks: 900_000 + number, "\(number)\n00:05.000 --> 00:14.000 line:0\nlong\n\n")
        }
        #expect(segments.cues == ["5.0 14.0 long"])
    }

    @Test("keeps equal cues of one segment, and cues that look or last otherwise")
    func noDuplicates() throws {
        var segments = Segments()
        try segments.add(ticks: 900_000, "00:05.000 --> 00:07.000\na\n\n00:05.000 --> 00:07.000\na\n")
        try segments.add(
            ticks: 900_000,
            "00:05.000 --> 00:07.000 line:1\na\n\n00:05.000 --> 00:08.000\na\n\n00:05.002 --> 00:07.000\na")
        #expect(segments.cues.count == 5)
    }

    @Test("joins the pieces of a cue that was cut at the borders of segments")
    func pieces() throws {
        var segments = Segments()
        try segments.add(ticks: 900_000, "00:04.000 --> 00:06.000\nx\n\n00:05.000 --> 00:06.000\ny")
        try segments.add(ticks: 900_000, "00:06.000 --> 00:12.000\nx\n\n00:05.000 --> 00:07.500\ny")
        try segments.add(ticks: 900_000, "00:12.000 --> 00:13.000\nx\n\n00:12.000 --> 00:13.000\ny")
        #expect(segments.cues == ["4.0 13.0 x", "5.0 7.5 y", "12.0 13.0 y"])
    }

    @Test("joins no pieces across a segment that is missing, or away from a border")
    func noPieces() throws {
        var segments = Segments()
        try segments.add(ticks: 900_000, "00:04.000 --> 00:06.000\nx")
        try segments.add(nil)
        try segments.add(ticks: 900_000, "00:12.000 --> 00:13.000\nx\n\n00:14.000 --> 00:15.000\ny")
        try segments.add(ticks: 900_000, "00:19.000 --> 00:20.000\ny")
        #expect(segments.cues.count == 4)
        #expect(segments.merger.merged().missingSegments == 1)
    }

    @Test("reads a segment without header by the map before it, and says so")
    func noHeader() throws {
        var segments = Segments(firstTicks: 0)
        try segments.add(ticks: 90_000, "00:00.000 --> 00:01.000\na")
        try segments.add("00:06.000 --> 00:07.000\nb")
        #expect(segments.cues == ["1.0 2.0 a", "7.0 8.0 b"])
        let problems = segments.merger.merged().problems
        #expect(problems.map(\.description) == ["segment 1, line 1: the segment does not begin with WEBVTT"])
    }

    @Test("passes over segments that are empty, a web page or only a header")
    func uselessSegments() throws {
        var segments = Segments()
        try segments.add("")
        try segments.add("<html>-->")
        try segments.add("WEBVTT")
        try segments.add(ticks: 900_000, "00:19.000 --> 00:20.000\na")
        #expect(segments.cues == ["19.0 20.0 a"])
        #expect(segments.merger.merged().problems.map(\.code) == [.refused(WebVTTError(.webPage))])
    }

    @Test("takes map, styles and regions from the Media Initialization Section")
    func initialization() throws {
        let header = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:900000\n\nSTYLE\na\n\nREGION\nid:r\n"
        var segments = Segments()
        try segments.add("00:01.000 --> 00:02.000 region:r\na", initialization: header)
        try segments.add("WEBVTT\n\n00:07.000 --> 00:08.000 region:r\nb", initialization: header)
        let other = header.replacing("id:r", with: "id:r width:40%")
        try segments.add("WEBVTT\n\n00:13.000 --> 00:14.000 region:r\nc", initialization: other)
        #expect(segments.cues == ["1.0 2.0 a", "7.0 8.0 b", "13.0 14.0 c"])
        let track = segments.merger.merged().track
        #expect(track.styles == ["a"])
        #expect(track.cues.map { track.region(of: $0)?.width } == [100, 100, 40])
    }

    @Test("keeps equal regions and styles once, and renames a region that has another's name")
    func definitions() throws {
        let first = "REGION\nid:r\nwidth:50%\n\nSTYLE\na\n\n00:01.000 --> 00:02.000 region:r\none\n\n"
        let second = "REGION\nid:r\nwidth:60%\n\nSTYLE\nb\n\n00:07.000 --> 00:08.000 region:r\ntwo\n\n"
        var segments = Segments()
        for body in [
            first, second, first.replacing("one", with: "three"), second.replacing("two", with: "four"),
        ] {
            try segments.add(ticks: 900_000, body)
        }
        let track = segments.merger.merged().track
        #expect(track.styles == ["a", "b"])
        #expect(track.regions.map(\.identifier) == ["r", "r-2"])
        #expect(track.cues.map { track.region(of: $0)?.width } == [50, 50, 60, 60])
    }

    @Test("keeps apart very many regions of one name")
    func manyRegions() throws {
        let regions = (0..<3000).map { "REGION\nid:r\nlines:\($0)\n\n" }.joined()
        var segments = Segments()
        try segments.add(ticks: 900_000, regions + "00:01.000 --> 00:02.000 region:r\na")
        let track = segments.merger.merged().track
        #expect(Set(track.regions.map(\.identifier)).count == 3000)
        #expect(track.cues.map { track.region(of: $0)?.lines } == [2999])
    }

    @Test("leaves out cues that end before the start, and cuts cues that begin before it")
    func beforeStart() throws {
        var segments = Segments(firstTicks: 900_000)
        try segments.add(
            "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:10.000,MPEGTS:900000\n\n00:08.000 --> 00:09.000\na\n\n00:09.000 --> 00:11.000\nb"
        )
        #expect(segments.cues == ["0.0 1.0 b"])
    }

    @Test("moves the timestamps within a cue with it, none of them before the start")
    func timestamps() throws {
        let first = "00:11.000 --> 00:14.000\n<00:11.500><c>la</c><00:13.000><c>lo</c>"
        let second = "00:09.000 --> 00:12.000\n<00:09.500>a<0x>b<v 1<00:11.000>c<00:11.000"
        var segments = Segments(firstTicks: 900_000)
        try segments.add("WEBVTT\n\n\(first)\n\n\(second)")
        #expect(
            segments.cues == [
                "0.0 2.0 <00:00:00.000>a<0x>b<v 1<00:11.000>c<00:00:01.000",
                "1.0 4.0 <00:00:01.500><c>la</c><00:00:03.000><c>lo</c>",
            ])
    }

    @Test("keeps a cue with timestamps once that stands in segments of different local times")
    func repeatedTimestamps() throws {
        var segments = Segments(firstTicks: 900_000)
        try segments.add(ticks: 900_000, "00:05.000 --> 00:08.000\nla<00:06.500>lo")
        let map = "X-TIMESTAMP-MAP=LOCAL:00:10.000,MPEGTS:900000"
        try segments.add("WEBVTT\n\(map)\n\n00:15.000 --> 00:18.000\nla<00:16.500>lo")
        #expect(segments.cues == ["5.0 8.0 la<00:00:06.500>lo"])
    }

    @Test(
        "keeps it once also where the segments' maps differ by less than its times are told by",
        arguments: [30, 60, 120])
    func roundedTimestamps(ticks: Int) throws {
        var segments = Segments(firstTicks: 900_000)
        try segments.add(ticks: 900_000, "00:05.000 --> 00:08.000\n<00:05.500>la<b><00:06.500>lo</b>")
        try segments.add(ticks: 900_000 + ticks, "00:05.000 --> 00:08.000\n<00:05.500>la<b><00:06.500>lo</b>")
        #expect(segments.cues == ["5.0 8.0 <00:00:05.500>la<b><00:00:06.500>lo</b>"])
    }

    @Test("keeps apart cues with timestamps whose words or tags differ")
    func otherTimestamps() throws {
        var segments = Segments(firstTicks: 900_000)
        try segments.add(ticks: 900_000, "00:05.000 --> 00:08.000\nla<00:06.500>lo")
        try segments.add(
            ticks: 900_000,
            "00:05.000 --> 00:08.000\nla<00:06.500>li\n\n00:05.000 --> 00:08.000\nla<00:06.500><b>lo</b>")
        #expect(segments.cues.count == 3)
    }

    @Test("orders cues by time, the longer one first")
    func order() throws {
        var segments = Segments()
        try segments.add(
            ticks: 900_000,
            "00:03.000 --> 00:04.000\nc\n\n00:01.000 --> 00:02.000\nb\n\n00:01.000 --> 00:05.000\na")
        #expect(segments.cues == ["1.0 5.0 a", "1.0 2.0 b", "3.0 4.0 c"])
    }

    @Test("survives places and clocks that are no numbers")
    func nonsense() throws {
        for value in [Double.nan, .infinity, -.infinity, 1e300] {
            var merger = SegmentMerger(clocks: [0: MediaClock(start: value, firstTicks: .min)])
            let bytes = Array(
                "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:4611686018427387903\n\n9999999999:00:00.000 --> 00:01.000\nx"
                    .utf8)
            try merger.add(bytes, at: SegmentPlace(start: value, duration: value))
            #expect(merger.merged().segments == 1)
        }
    }
}
