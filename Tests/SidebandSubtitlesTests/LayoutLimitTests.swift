import SidebandSubtitles
import Testing

@Suite("What a picture has room for")
struct LayoutLimitTests {
    @Test("are cues with so much text, to the byte; the first one is always among them")
    func text() throws {
        func shown(_ counts: Int...) throws -> Int {
            var settings = CueSettings()
            (settings.line, settings.snapsToLines) = (50, false)
            let cues = counts.enumerated().map { index, count in
                cue(0, 10 + Double(index), String(repeating: "x", count: count), settings: settings)
            }
            let size = try #require(FrameSize(width: 1000, height: 1000))
            let composer = FrameComposer(
                [ShownTrack(SubtitleTrack(cues: cues))], size: size, measuring: CellMeasurer())
            return composer.layout(at: CueTime(seconds: 1)).allCues.count
        }
        let most = FrameComposer.maximumText
        #expect(try shown(most - 10, 10) == 2)
        #expect(try shown(most - 10, 11) == 1)
        #expect(try shown(most + 1, 1) == 1)
    }

    @Test("are ten thousand characters of a cue, its line ends included")
    func characters() throws {
        func lines(_ text: String) throws -> [String] { try Scene(body(text, "line:0%")).lines }
        #expect(try lines(String(repeating: "x", count: 10_001)).joined().count == 10_000)
        #expect(try lines(String(repeating: "x\n", count: 6000)).count == 5000)
    }

    @Test("are no control characters, and line ends of every kind")
    func controls() throws {
        #expect(try Scene(body("a\u{1}\u{7F}\u{1F}b")).lines == ["ab"])
        #expect(
            try Scene(body("a\u{2028}b\u{2029}c\u{85}d\u{B}e\u{C}f")).lines == ["a", "b", "c", "d", "e", "f"])
    }

    @Test("are lines without text, which have no background")
    func emptyLines() throws {
        let cue = try Scene(body("a\u{2028}\u{2028}bbb")).layout.cues[0]
        #expect(cue.lines.map { $0.background != nil } == [true, false, true])
        #expect(cue.inkRect == FrameRect(x: 455, y: 820, width: 90, height: 180))
        #expect(try Scene(body("bbb\na")).boxes == ["bbb/a": [455, 880, 545, 1000]])
    }

    @Test("is what a region's settings say, and a warning for each block with one that is none")
    func regionSettings() throws {
        func warnings(_ settings: String...) throws -> [WebVTTWarning.Code] {
            try file("WEBVTT\n\nREGION\n\(settings.joined(separator: "\n"))\n\n").warnings.map(\.code)
        }
        #expect(
            try warnings(
                "id:r", "width:40%", "lines:3", "regionanchor:0%,100%", "viewportanchor:10%,90%", "scroll:up"
            ).isEmpty)
        for wrong in [
            "width:101%", "width:40", "lines:x", "lines:-1", "lines:1.5", "regionanchor:1%",
            "regionanchor:1%,2",
            "viewportanchor:1,2%", "viewportanchor:101%,2%", "scroll:down", "colour:red", "width", ":1%",
        ] {
            #expect(try warnings("id:r", wrong, "lines:3") == [.unknownRegionSetting], "\(wrong)")
        }
    }
}
