internal import ASCII

/// Writes a track as Advanced SubStation Alpha (`.ass`), so that players with libass show a WebVTT track as its
/// author intended: the place of each cue, its markup, colors of the default classes, and karaoke.
///
/// Times are rounded to the format's hundredths of a second. From style sheets, the weight, slant, underline, size,
/// color and opacity of text and its background color are kept, but not in karaoke. Readings of ruby follow their
/// base in parentheses, and the background of a region is not painted. Cues without text are left out. The same track
/// always gives the same bytes.
public struct ASSWriter: Sendable {
    /// The size of the picture on which the text stands: `PlayResX` and `PlayResY`.
    private let frame: FrameSize

    /// A writer for a picture of a size; each side is taken to be from 16 to 8,192 pixels.
    public init(picture: PictureSize = .init()) {
        frame = FrameSize(within: picture)
    }

    /// The track as ASS text in UTF-8, cues by time.
    public func bytes(of track: SubtitleTrack) -> [UInt8] { OutputPieces.joined { write(track, to: $0) } }

    /// Writes the track in pieces of about 64 KiB, each passed to a function.
    ///
    /// - Throws: the function's error.
    public func write<Failure: Error>(
        _ track: SubtitleTrack, to receive: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var placer = ASSPlacer(track, frame: frame)
        let styler = CueStyler(sheet: CueStyleSheet(track.styles), language: "", frame: frame)
        var index = 0
        try OutputPieces.write(placer.cues, after: Array(header.utf8), to: receive) { cue, bytes in
            append(cue, index, placer: &placer, styler: styler, to: &bytes)
            index += 1
        }
    }

    private func append(
        _ cue: Cue, _ index: Int, placer: inout ASSPlacer, styler: CueStyler, to bytes: inout [UInt8]
    ) {
        let content = cue.content
        guard ASSWriter.hundredths(cue.end) > ASSWriter.hundredths(cue.start), content.hasVisibleText else {
            return
        }
        let looks = ASSLooks(of: cue, content, by: styler)
        for stretch in placer.stretches(of: index, isRightToLeft: content.isRightToLeft) {
            append(content, stretch, looks: looks, to: &bytes)
        }
    }

    private func append(
        _ content: CueText, _ stretch: ASSPlacer.Stretch, looks: ASSLooks?, to bytes: inout [UInt8]
    ) {
        let start = ASSWriter.hundredths(max(stretch.start, CueTime(milliseconds: 0)))
        let lastTime = stretch.end.ofWrittenEnd
        let end = ASSWriter.hundredths(lastTime)
        guard end > start else { return }
        let place = stretch.place
        var text = ASSText(start: stretch.start, reversesLines: place.reversesLines, looks: looks)
        text.append(content, until: lastTime)
        let times = "\(ASSWriter.time(start)),\(ASSWriter.time(end))"
        let margins = "\(place.marginLeft),\(place.marginRight),0"
        bytes += "Dialogue: 0,\(times),Default,\(text.voice),\(margins),,".utf8
        if !place.overrides.isEmpty { bytes += "{\(place.overrides)}".utf8 }
        bytes += text.text.utf8
        bytes.append(.lineFeed)
    }

    /// White text on a box with 80 % black, as in WebVTT §7.4. `OutlineColour` is the color of the box.
    private var header: String {
        let margin = ASSPlace.margin(of: frame)
        let font = "sans-serif,\(ASSPlace.lineHeight(of: frame))"
        let colors = "&H00FFFFFF,&H80FFFFFF,&H33000000,&H33000000"
        return """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(frame.width)
            PlayResY: \(frame.height)
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
