/// Writes a track as Advanced SubStation Alpha (`.ass`), so that players built on libass show what the author of
/// a WebVTT track meant: where each cue stands, its markup, colors of the default classes, and karaoke.
///
/// Times are rounded to the format's hundredths of a second. Style sheets are lost, readings of ruby follow their
/// base in parentheses, and cues of a scrolling region are stacked but don't scroll. Cues without text are left out.
/// The same track always gives the same bytes.
public struct ASSWriter: Sendable {
    /// The size of the picture on which the text stands: `PlayResX` and `PlayResY`.
    public var picture: PictureSize

    /// A writer.
    public init(picture: PictureSize = .init()) {
        self.picture = picture
    }

    /// The track as ASS text in UTF-8, cues by time.
    public func bytes(of track: SubtitleTrack) -> [UInt8] {
        var sorted = track
        sorted.sortCues()
        let regions = Dictionary(track.regions.map { ($0.identifier, $0) }) { $1 }
        var bytes = Array(header.utf8)
        var rows = ASSRows()
        for cue in sorted.cues { append(cue, regions, &rows, to: &bytes) }
        return bytes
    }

    private func append(
        _ cue: Cue, _ regions: [String: CueRegion], _ rows: inout ASSRows, to bytes: inout [UInt8]
    ) {
        let start = ASSWriter.hundredths(max(cue.start, CueTime(milliseconds: 0)))
        let end = ASSWriter.hundredths(cue.end)
        let content = cue.content
        guard end > start, content.hasVisibleText else { return }
        let region = cue.settings.region.flatMap { regions[$0] }
        let isRightToLeft = content.isRightToLeft
        var settings = cue.settings
        if region == nil { rows.settle(&settings, of: cue, lines: content.lineCount) }
        let place = ASSPlace(settings, in: region, of: picture, isRightToLeft: isRightToLeft)
        var text = ASSText(start: cue.start, reversesLines: place.reversesLines)
        text.append(content, until: cue.end)
        let margins = "\(place.marginLeft),\(place.marginRight),\(place.marginVertical)"
        let times = "\(ASSWriter.time(start)),\(ASSWriter.time(end))"
        bytes += "Dialogue: 0,\(times),Default,\(text.voice),\(margins),,".utf8
        if !place.overrides.isEmpty { bytes += "{\(place.overrides)}".utf8 }
        bytes += text.text.utf8
        bytes.append(.lineFeed)
    }

    /// White text on a box that is black to four fifths, as WebVTT §7.4 has it. `OutlineColour` is that of the box.
    private var header: String {
        let margin = ASSPlace.margin(of: picture)
        let font = "sans-serif,\(ASSPlace.lineHeight(of: picture))"
        let colors = "&H00FFFFFF,&H80FFFFFF,&H33000000,&H33000000"
        return """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(picture.width)
            PlayResY: \(picture.height)
            WrapStyle: 0
            ScaledBorderAndShadow: yes

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
            Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
            MarginR, MarginV, Encoding
            Style: Default,\(font),\(colors),0,0,0,0,100,100,0,0,3,1,0,2,0,0,\(margin),1

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
    }

    static func hundredths(_ time: CueTime) -> Int { (time.milliseconds + 5) / 10 }

    private static func time(_ hundredths: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = hundredths / 100
        return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(two(hundredths % 100))"
    }
}
