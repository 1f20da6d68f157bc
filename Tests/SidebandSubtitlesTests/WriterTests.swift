import SidebandSubtitles
import Testing

@Suite("Written tracks")
struct WriterTests {
    private var settings: CueSettings {
        var settings = CueSettings()
        settings.line = 12.5
        settings.snapsToLines = false
        settings.lineAlignment = .end
        settings.position = 10
        settings.positionAlignment = .lineLeft
        settings.size = 33.25
        settings.textAlignment = .right
        settings.writingDirection = .growingLeft
        settings.region = "r"
        return settings
    }

    @Test("are WebVTT with their header, definitions and settings")
    func webVTT() {
        var region = CueRegion()
        region.identifier = "r"
        region.lines = 2
        region.anchor = .init(x: 0, y: 0)
        region.scrollsUp = true
        var first = cue(1, 2.5, "a\nb", settings: settings)
        first.identifier = "1"
        let track = SubtitleTrack(
            cues: [first, cue(3, 4, "")], regions: [region], styles: ["::cue{}\n\n::cue{}"])
        let map = TimestampMap(mpegTicks: 900_000)
        let written = text(WebVTTWriter(timestampMap: map, headerLines: ["Kind: captions"]).bytes(of: track))
        #expect(
            written == """
                WEBVTT
                X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000
                Kind: captions

                REGION
                id:r
                width:100%
                lines:2
                regionanchor:0%,0%
                scroll:up

                STYLE
                ::cue{}
                ::cue{}

                1
                00:00:01.000 --> 00:00:02.500 vertical:rl line:12.5%,end position:10%,line-left size:33.25% \
                align:right region:r
                a
                b

                00:00:03.000 --> 00:00:04.000


                """)
    }

    @Test("are never broken by the text or identifier of a cue")
    func injection() throws {
        var bad = cue(-1, 2, "a\n\n00:09.000 --> 00:10.000\r\n\r\nb\0\n")
        bad.identifier = "x\n\n00:01.000 --> 00:02.000"
        let found = try file(text(WebVTTWriter().bytes(of: SubtitleTrack(cues: [bad, cue(3, 4, "c")])))).track
            .cues
        #expect(found.map(\.text) == ["a\n00:09.000 --&gt; 00:10.000\nb\u{FFFD}", "c"])
        #expect(found.first?.identifier == "x 00:01.000 --&gt; 00:02.000")
        #expect(found.first?.start == CueTime(milliseconds: 0))
    }

    @Test("are a header and a blank line without cues")
    func empty() {
        #expect(text(WebVTTWriter().bytes(of: SubtitleTrack())) == "WEBVTT\n\n")
    }

    @Test("are SubRip with bold, italic and underline, readings in parentheses, and no empty cue")
    func subRip() {
        let track = SubtitleTrack(cues: [
            cue(3661.5, 3662, "<v Ann>Hi <b>you<i>!</v>"), cue(1, 2, "<c>\n</c>"),
            cue(0.25, 0.1, "<ruby>漢<rt>かん</rt></ruby> &lt;b&gt;\n\nend"),
        ])
        #expect(
            text(SubRipWriter().bytes(of: track)).replacing("\r\n", with: "\n") == """
                1
                00:00:00,250 --> 00:00:00,250
                漢(かん) <b>
                end

                2
                01:01:01,500 --> 01:01:02,000
                Hi <b>you<i>!</i></b>


                """)
    }

    @Test("end endless cues within durations of 32 bits, and never before their start")
    func endlessSubRip() {
        let track = SubtitleTrack(cues: [cue(1, .infinity, "a"), cue(400_000, .infinity, "b")])
        #expect(
            text(SubRipWriter().bytes(of: track)).replacing("\r\n", with: "\n") == """
                1
                00:00:01,000 --> 99:59:59,990
                a

                2
                111:06:40,000 --> 111:06:40,000
                b


                """)
    }

    @Test("are plain text without the lines that rolling captions repeat")
    func plainText() {
        let track = SubtitleTrack(cues: [cue(2, 3, "b\nc &amp; d"), cue(1, 2, "a\nb"), cue(4, 5, "a")])
        #expect(text(PlainTextWriter().bytes(of: track)) == "a\nb\nc & d\na\n")
    }

    @Test("are JSON with automatic values, exact times and escaped text")
    func json() {
        let track = SubtitleTrack(cues: [cue(1.05, 20, "\"\\\n\u{1}é")])
        #expect(
            text(JSONWriter(includesTrees: true).bytes(of: track)) == #"""
                {"cues":[{"id":"","start":1.050,"end":20,"text":"\"\\\n\u0001é","vertical":"","line":"auto",\#
                "snapToLines":true,"lineAlign":"start","position":"auto","positionAlign":"auto","size":100,\#
                "align":"center","region":null,"tree":[{"type":"text","value":"\"\\\n\u0001é"}]}],\#
                "regions":[],"styles":[]}

                """#)
    }

    @Test("are JSON with a minus sign before times below zero alone")
    func jsonTimes() {
        let track = SubtitleTrack(cues: [cue(0, 0.5, "a"), cue(-0.5, -0.001, "b"), cue(-2, 1.01, "c")])
        let written = text(JSONWriter().bytes(of: track))
        for times in ["0,\"end\":0.500", "-0.500,\"end\":-0.001", "-2,\"end\":1.010"] {
            #expect(written.contains("\"start\":\(times),\"text\":"), "\(times)")
        }
        #expect(!written.contains("\"tree\":"))
    }

    @Test(
        "give a long track in pieces that together are the same as the whole",
        arguments: SubtitleFormat.allCases)
    func longTracks(format: SubtitleFormat) {
        let track = SubtitleTrack(
            cues: (0..<4000).map { cue(Double($0), Double($0) + 1, "<i>text \($0)</i> of some length") })
        var pieces: [[UInt8]] = []
        format.write(track) { pieces.append($0) }
        #expect(pieces.count > 1 && pieces.allSatisfy { $0.count < 66_000 })
        #expect(Array(pieces.joined()) == format.bytes(of: track))
    }

    @Test("stop where the receiver fails")
    func pieces() throws {
        let track = SubtitleTrack(cues: (0..<2000).map { cue(Double($0), Double($0) + 1, "text \($0)") })
        var count = 0
        #expect(throws: WebVTTError(.empty)) {
            try JSONWriter().write(track) { _ throws(WebVTTError) in
                count += 1
                throw WebVTTError(.empty)
            }
        }
        #expect(count == 1)
    }

    @Test(
        "keep numbers that a Double prints with an exponent",
        arguments: [
            "line:0.0000001%", "line:-123456789012345678901234567890", "line:123456789012345678901234567890",
        ])
    func numbers(setting: String) throws {
        let track = try file("WEBVTT\n\n00:01.000 --> 00:02.000 \(setting)\nx").track
        #expect(try file(text(WebVTTWriter().bytes(of: track))).track == track)
    }
}

@Suite("A track cut into segments")
struct SegmentedTrackTests {
    private let track = SubtitleTrack(cues: [
        cue(20, 21, "late"), cue(0, 100, "whole"), cue(6, 12, "second"), cue(12, 12, "instant"),
        cue(5, 6.001, "both"),
    ])

    private func texts(_ segments: SegmentedTrack) throws -> [[String]] {
        try (0..<segments.count).map { try file(text(segments.segment($0))).track.cues.map(\.text) }
    }

    @Test("has each cue in the segments it touches, and none is lost before or after")
    func touching() throws {
        let segments = SegmentedTrack(track, segmentStarts: [3, 6, 12], writer: WebVTTWriter())
        #expect(
            try texts(segments) == [
                ["whole", "both"], ["whole", "both", "second"], ["whole", "instant", "late"],
            ])
        #expect(text(segments.segment(3)) == "WEBVTT\n\n")
        #expect(text(segments.segment(-1)) == "WEBVTT\n\n")
    }

    @Test("has the timestamp map and the definitions in each segment")
    func header() throws {
        let map = TimestampMap(mpegTicks: 126_000)
        let styled = SubtitleTrack(styles: ["::cue{}"])
        let segments = SegmentedTrack(styled, segmentStarts: [0, 6], writer: WebVTTWriter(timestampMap: map))
        for index in 0..<2 {
            let file = try file(text(segments.segment(index)))
            #expect(file.timestampMap == map)
            #expect(file.track.styles == ["::cue{}"])
        }
    }

    @Test("is the same track again when its segments are merged")
    func merging() throws {
        var track = SubtitleTrack()
        for index in 0..<3000 {
            let start = Double(index * 7919 % 10_007) / 4
            track.cues.append(cue(start, start + Double(index % 23) + 0.5, "text \(index)"))
        }
        let starts = Array(stride(from: 0.0, to: 2600, by: 6))
        let writer = WebVTTWriter(timestampMap: TimestampMap(mpegTicks: 900_000))
        let segments = SegmentedTrack(track, segmentStarts: starts, writer: writer)
        var merger = SegmentMerger(clocks: [0: MediaClock(firstTicks: 900_000)])
        for (index, start) in starts.enumerated() {
            try merger.add(segments.segment(index), at: SegmentPlace(start: start, duration: 6))
        }
        track.sortCues()
        #expect(merger.merged().track == track)
    }
}
