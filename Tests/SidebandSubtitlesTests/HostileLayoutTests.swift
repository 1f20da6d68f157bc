import SidebandSubtitles
import Testing

@Suite("Hostile subtitles", .timeLimit(.minutes(5)))
struct HostileLayoutTests {
    @Test("give a picture all the same, however they are damaged")
    func mutations() throws {
        var random = SplitMix(state: 11)
        let originals = HostileLayoutTests.originals.map { Array($0.utf8) }
        var shown = 0
        for round in 0..<2000 {
            let bytes = random.damage(originals[round % originals.count])
            guard let file = try? WebVTTFile(parsing: bytes) else { continue }
            let layout = try layout(of: [file.track], at: Double(round % 12))
            #expect(layout.allCues.allSatisfy { $0.rect.width.isFinite && $0.rect.height.isFinite })
            #expect(!FrameJSON.bytes(of: layout).isEmpty && !FrameHTML.bytes(of: layout).isEmpty)
            shown += layout.isEmpty ? 0 : 1
        }
        #expect(shown > 500)
    }

    @Test("with ten thousand cues at once show as many as fit")
    func manyCues() throws {
        let snapped = (0..<10_000).map { cue(0, 10, "cue \($0)") }
        #expect(try layout(of: [SubtitleTrack(cues: snapped)], at: 1).cues.count == 16)
        var settings = CueSettings()
        (settings.line, settings.snapsToLines, settings.size) = (50, false, 10)
        let placed = (0..<10_000).map { cue(0, 10, "\($0)", settings: settings) }
        let count = try layout(of: [SubtitleTrack(cues: placed)], at: 1).cues.count
        #expect(count > 100 && count <= FrameComposer.maximumCues)
    }

    @Test("without a gap for hours show only those of the moment")
    func chain() throws {
        let cues =
            (0..<200_000).map { cue(Double($0), Double($0) + 1.5, "cue \($0)") } + [cue(0, 1e6, "logo")]
        let shown = try layout(of: [SubtitleTrack(cues: cues)], at: 150_000.2).allCues.map(\.text)
        #expect(Set(shown) == ["logo", "cue 149999", "cue 150000"])
    }

    @Test(
        "with endless nesting, selectors, words and styles are cut, not refused",
        arguments: [
            String(repeating: "<ruby>a<rt>", count: 5000) + "x",
            String(repeating: "<b>", count: 50_000) + "x",
            String(repeating: "x", count: 200_000), String(repeating: "x ", count: 100_000),
            String(repeating: "x\n", count: 20_000), String(repeating: "<c.a.b>x</c>", count: 20_000),
            String(repeating: "\u{2067}\u{202E}א", count: 10_000),
            String(repeating: "e\u{301}\u{301}", count: 30_000),
        ])
    func text(text: String) throws {
        let style = "::cue(b b b b b b b b c) { color: red }\n::cue(c:past > c ~ c) { color: blue }"
        let track = SubtitleTrack(
            cues: [cue(0, 10, text)],
            styles: [style, String(repeating: "::cue(c.a){color:red}", count: 5000)])
        _ = try layout(of: [track], at: 1)
    }

    @Test(
        "with invalid style sheets do no harm",
        arguments: [
            String(repeating: "(", count: 100_000), String(repeating: "::cue(", count: 50_000),
            String(repeating: "{", count: 100_000), "::cue { font-size: 1e308vh; line-height: 1e308 }",
            "::cue { font-size: -5px; text-shadow: 1e9px 1e9px 1e9px red }", "\\", "::cue(\\", "/*",
            "::cue { color: \"",
            "::cue { outline: 1e30px solid red; font: 0/0 a }",
        ])
    func styles(style: String) throws {
        let layout = try layout(of: [SubtitleTrack(cues: [cue(0, 10, "x")], styles: [style])], at: 1)
        #expect(layout.cues.count <= 1)
    }

    private func layout(of tracks: [SubtitleTrack], at seconds: Double) throws -> FrameLayout {
        let size = try #require(FrameSize(width: 1000, height: 1000))
        let composer = FrameComposer(tracks.map { ShownTrack($0) }, size: size, measuring: CellMeasurer())
        return composer.layout(at: CueTime(seconds: seconds))
    }

    private static let originals = [
        "WEBVTT\n\nREGION\nid:r\nwidth:40%\nlines:3\nregionanchor:0%,100%\nviewportanchor:10%,90%\nscroll:up\n\n"
            + body("a", "region:r") + body("b", "region:r"),
        "WEBVTT\n\n"
            + body(
                "<v Ann><b.loud>z</b>w<00:00:02.000><c>x</c>",
                style: "::cue(v > b) { color: lime; font: 5vh x }"),
        "WEBVTT\n\n"
            + body(
                "<ruby>a<rt>b</rt>c<rt>d</rt></ruby>", "vertical:rl line:50%,center position:20%,line-left"),
        "WEBVTT\n\n" + body("one", "line:50% size:30%") + body("two", "line:50% align:start")
            + body("שלום", "align:end"),
    ]
}
