import SidebandSubtitles
import Testing

@Suite("The start of a media clock that is not known")
struct MergingStartTests {
    @Test("is the first map, also of a segment without cues")
    func emptySegment() throws {
        var segments = Segments(firstTicks: nil)
        try segments.add(ticks: 900_000, "")
        try segments.add(ticks: 900_000 + 540_000, "00:01.000 --> 00:02.000\na")
        #expect(segments.cues == ["7.0 8.0 a"])
    }

    @Test("is not that of a segment without a map and cues")
    func noMap() throws {
        var segments = Segments(firstTicks: nil)
        try segments.add("WEBVTT\n\n")
        try segments.add(ticks: 1_234_567, "00:07.000 --> 00:08.000\na")
        #expect(segments.cues == ["7.0 8.0 a"])
        #expect(segments.merger.merged().unmappedSegments == 0)
    }

    @Test("is 0 if the first cues have no map")
    func unmappedCues() throws {
        var segments = Segments(firstTicks: nil)
        try segments.add("WEBVTT\n\n00:01.000 --> 00:02.000\na")
        try segments.add(ticks: 90_000, "00:06.000 --> 00:07.000\nb")
        #expect(segments.cues == ["1.0 2.0 a", "7.0 8.0 b"])
        #expect(segments.merger.merged().unmappedSegments == 1)
    }
}

@Suite("Cues in two segments, to the tick")
struct MergingTickTests {
    /// How many cues there are of one in each of two segments of six seconds, whose clocks differ by some ticks.
    private func count(_ first: String, _ second: String, ticks: Int) throws -> Int {
        var segments = Segments()
        try segments.add(ticks: 900_000, "\(first)\nx")
        try segments.add(ticks: 900_000 + ticks, "\(second)\nx")
        return segments.cues.count
    }

    @Test("are one if their times differ by 1.5 milliseconds, and two if they differ by more")
    func copies() throws {
        let times = "00:05.000 --> 00:08.000"
        for ticks in [-135, 135] { #expect(try count(times, times, ticks: ticks) == 1, "\(ticks)") }
        for ticks in [-136, 136] { #expect(try count(times, times, ticks: ticks) == 2, "\(ticks)") }
    }

    @Test("are pieces of one if the second begins 1.5 milliseconds after the first ends, and not later")
    func gap() throws {
        // The second one begins 90 ticks behind the border, plus the difference of the clocks.
        let (first, second) = ("00:04.000 --> 00:06.000", "00:06.001 --> 00:07.000")
        #expect(try count(first, second, ticks: 45) == 1)
        #expect(try count(first, second, ticks: 46) == 2)
    }

    @Test("are pieces of one if the second begins a tenth of a second from the border, and not farther")
    func drift() throws {
        let late = ("00:04.000 --> 00:06.100", "00:06.100 --> 00:07.000")
        #expect(try count(late.0, late.1, ticks: 0) == 1)
        #expect(try count(late.0, late.1, ticks: 1) == 2)
        let early = ("00:04.000 --> 00:05.900", "00:05.900 --> 00:07.000")
        #expect(try count(early.0, early.1, ticks: 0) == 1)
        #expect(try count(early.0, early.1, ticks: -1) == 2)
    }
}

@Suite("Limits of a merged track")
struct MergingLimitTests {
    private func segments(cues: Int? = nil, blocks: Int? = nil) -> Segments {
        var limits = WebVTTLimits()
        limits.cues = cues ?? limits.cues
        limits.blocks = blocks ?? limits.blocks
        var segments = Segments()
        segments.merger = SegmentMerger(clocks: [0: MediaClock(firstTicks: 900_000)], limits: limits)
        return segments
    }

    @Test("are so many cues of all segments; a cue that is known does not count")
    func cues() throws {
        var segments = segments(cues: 2)
        try segments.add(ticks: 900_000, "00:01.000 --> 00:02.000\na")
        try segments.add(ticks: 900_000, "00:07.000 --> 00:13.000\nb")
        try segments.add(ticks: 900_000, "00:07.000 --> 00:13.000\nb")
        #expect(throws: WebVTTError(.tooManyCues)) {
            try segments.add(ticks: 900_000, "00:19.000 --> 00:20.000\nc")
        }
        #expect(segments.cues == ["1.0 2.0 a", "7.0 13.0 b"])
    }

    @Test("are so many styles and regions of all segments; those that are known do not count")
    func definitions() throws {
        func style(_ name: String) -> String { "STYLE\n\(name)\n\n" }
        func region(_ name: String) -> String { "REGION\nid:\(name)\n\n" }
        var segments = segments(blocks: 2)
        try segments.add(ticks: 900_000, style("a") + region("r"))
        try segments.add(ticks: 900_000, style("a") + style("b") + region("r") + region("s"))
        let cues = ["00:13.000 --> 00:14.000 region:t\nx\n\n", "00:14.000 --> 00:15.000 region:s\ny"]
        let last = [style("b"), style("c"), region("s"), region("t")] + cues
        try segments.add(ticks: 900_000, last.joined())
        let track = segments.merger.merged().track
        #expect(track.styles == ["a", "b"])
        #expect(track.regions.map(\.identifier) == ["r", "s"])
        #expect(track.cues.map { track.region(of: $0)?.identifier } == [nil, "s"])
    }

    @Test("are a thousand problems")
    func problems() throws {
        var segments = Segments()
        for _ in 0..<1001 { try segments.add("<html>") }
        let merged = segments.merger.merged()
        #expect(merged.segments == 1001)
        #expect(merged.problems.map(\.segment) == Array(0..<1000))
    }
}

@Suite("The header of a merged track")
struct MergingHeaderTests {
    @Test("has the lines of the first segment that has any")
    func lines() throws {
        var segments = Segments()
        try segments.add("WEBVTT\n\n")
        try segments.add("WEBVTT\nKind: captions\nLanguage: en\n\n")
        try segments.add("WEBVTT\nKind: subtitles\n\n")
        #expect(segments.merger.merged().headerLines == ["Kind: captions", "Language: en"])
    }

    @Test("has the lines of a segment whose initialization section has none")
    func afterInitialization() throws {
        var merger = SegmentMerger()
        let segment = Array("WEBVTT\nKind: captions\n\n".utf8)
        try merger.add(
            segment, at: SegmentPlace(start: 0, duration: 10), initialization: Array("WEBVTT\n\n".utf8))
        #expect(merger.merged().headerLines == ["Kind: captions"])
    }
}
