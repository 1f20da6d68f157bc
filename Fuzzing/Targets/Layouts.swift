import SidebandSubtitles

extension FuzzTarget {
    static let layouts = [
        FuzzTarget("layout", tokens: layoutTokens) { bytes throws(Finding) in
            guard let file = try? WebVTTFile(parsing: bytes) else { return }
            try check(file.track, at: file.track.cues.first?.start ?? CueTime(milliseconds: 0))
        },
        FuzzTarget("cue-style", tokens: styleTokens) { bytes throws(Finding) in
            let cue = Cue(
                start: CueTime(milliseconds: 0), end: CueTime(milliseconds: 9000),
                text: "<v Ann>a<b.loud>b</b><00:00:01.000><lang en>c<ruby>d<rt>e</rt></ruby></lang></v>")
            let style = String(decoding: bytes, as: UTF8.self)
            try check(SubtitleTrack(cues: [cue], styles: [style]), at: CueTime(milliseconds: 500))
        },
    ]

    private static let layoutTokens = [
        "WEBVTT\n\n", "00:00:01.000 --> 00:00:09.000 ", "STYLE\n::cue { color: red }\n\n", "region:r",
        "REGION\nid:r\nlines:3\nscroll:up\n\n", "vertical:rl ", "line:50%,end ", "line:-2 ",
        "position:10%,line-left ",
        "size:30% ", "align:start ", "<ruby>", "<rt>", "<b>", "<00:00:02.000>", "א", "漢", "\n",
    ]
    private static let styleTokens = [
        "::cue", "::cue(", "::cue-region(#r)", ")", "{", "}", ":past", ":future", ":lang(en)", "[voice=Ann]",
        "b", "*",
        " > ", " + ", " ~ ", ".loud", "#id", "color:", "background:", "font:", "bold 5vh/2 serif",
        "text-shadow:",
        "rgba(1,2,3,0.5)", "hsl(", "#0f08", "!important", ";", "/*", "*/", "\\", "\"", "@media", "1e9px",
    ]

    private static func check(_ track: SubtitleTrack, at time: CueTime) throws(Finding) {
        guard let size = FrameSize(width: 640, height: 360) else { return }
        let shown = ShownTrack(track, language: "en")
        let layout = FrameComposer([shown], size: size, measuring: CellMeasurer()).layout(at: time)
        try Finding.expect(
            layout.allCues.allSatisfy { $0.rect.x.isFinite && $0.rect.y.isFinite && $0.rect.width.isFinite },
            "every box has a place")
        try Finding.expect(
            layout.validFrom <= time && layout.validUntil.map { $0 > time } ?? true,
            "a picture holds for its own moment")
        try Finding.expect(!FrameJSON.bytes(of: layout).isEmpty, "a layout has a report")
        try Finding.expect(!FrameHTML.bytes(of: layout).isEmpty, "a layout has a page")
    }
}
