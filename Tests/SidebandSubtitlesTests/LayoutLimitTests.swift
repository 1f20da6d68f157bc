import SidebandSubtitles
import Testing

@Suite("The limit of a picture")
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

    @Test("follows a region's settings, with a warning for each block that has an invalid one")
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

    @Test("follows a cue's settings, with a warning for each invalid one")
    func cueSettings() throws {
        func warnings(_ settings: String) throws -> [WebVTTWarning.Code] {
            let region = "REGION\nid:r\n\n"
            return try file("WEBVTT\n\n\(region)00:00.000 --> 00:01.000 \(settings)\nx\n").warnings.map(
                \.code)
        }
        for good in [
            "vertical:rl", "vertical:lr", "line:0", "line:-3", "line:1.5", "line:50%", "line:0,start",
            "line:0,center", "line:0,end",
            "position:0%", "position:100%,line-left", "position:5%,center", "position:5%,line-right",
            "size:0%",
            "size:100%", "align:start", "align:center", "align:end", "align:left", "align:right", "region:r",
        ] {
            #expect(try warnings(good).isEmpty, "\(good)")
        }
        for wrong in [
            "vertical:up", "line:x", "line:101%", "line:-1%", "line:0,middle", "line:", "position:5",
            "position:101%",
            "position:5%,auto", "position:5%,left", "size:101%", "size:5", "align:middle", "region:s",
            "colour:red", "x",
        ] {
            #expect(try warnings(wrong) == [.unknownCueSetting], "\(wrong)")
        }
    }

    @Test("is a size of 16 to 8192 pixels each way, or none")
    func sizes() {
        #expect(FrameSize("1280x720") == FrameSize(width: 1280, height: 720))
        for text in ["16x16", "8192x8192", "16x8192"] { #expect(FrameSize(text) != nil) }
        for text in [
            "", "x", "1280", "1280x", "x720", "1280x720x1", "axb", "15x16", "16x15", "8193x16", "16x8193",
            "-16x16",
        ] {
            #expect(FrameSize(text) == nil)
        }
        #expect(PictureSize(width: 0, height: 20_000) == PictureSize(width: 1, height: 16_384))
    }
}
