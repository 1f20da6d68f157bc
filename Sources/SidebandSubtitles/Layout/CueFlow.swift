/// A cue of a shown track with all that its place depends on.
struct PlacedCue {
    /// The number of its track, and its index there.
    let track: Int
    let index: Int
    let cue: Cue
    let region: CueRegion?
    let flowed: FlowedCue
    let style: BoxStyle
    let isRightToLeft: Bool
    /// The timestamps in its text.
    let timestamps: [CueTime]
    /// Its box, after it was placed.
    var rect: FrameRect?

    func isShown(at time: CueTime) -> Bool { cue.start <= time && cue.end > time }

    /// Its box with all lines, in the picture.
    func box(at rect: FrameRect) -> CueBox {
        let direction = cue.settings.writingDirection
        return CueBox(
            identifier: cue.identifier, track: track, start: cue.start, end: cue.end,
            writingDirection: direction, rect: rect, style: style,
            lines: flowed.lines.map { LineMapping(box: rect, direction: direction, line: $0).lineBox })
    }
}

/// Brings a line to its place in the picture.
private struct LineMapping {
    let box: FrameRect
    let direction: CueSettings.WritingDirection
    let line: FlowedCue.Line

    var lineBox: LineBox {
        let background = FrameRect(
            x: 0, y: line.backgroundTop, width: line.width, height: line.backgroundHeight)
        return LineBox(
            rect: mapped(FrameRect(x: 0, y: 0, width: line.width, height: line.height)),
            background: line.width > 0 ? mapped(background) : nil,
            fragments: line.fragments.map { fragment in
                var fragment = fragment
                fragment.rect = mapped(fragment.rect)
                return fragment
            })
    }

    /// A rectangle along and across the line, as one in the picture. Letters of vertical text look to the right.
    private func mapped(_ rect: FrameRect) -> FrameRect {
        let along = line.offset + rect.x
        if direction == .horizontal {
            return FrameRect(
                x: box.x + along, y: box.y + line.top + rect.y, width: rect.width, height: rect.height)
        }
        let right =
            direction == .growingLeft ? box.right - line.top : box.x + line.top + line.height
        return FrameRect(
            x: right - rect.y - rect.height, y: box.y + along, width: rect.height, height: rect.width)
    }
}

/// Makes lines of cues.
struct CueFlow {
    let frame: FrameSize
    let time: CueTime
    let measuring: any TextMeasuring

    /// How many bytes of a cue's text are read.
    private static let maximumText = 1 << 16

    /// A cue broken into lines; `nil` without any, so that it is not shown.
    func flow(_ shown: ShownTrack, track: Int, index: Int) -> PlacedCue? {
        let cue = shown.track.cues[index]
        let content = CueText(String(decoding: cue.text.utf8.prefix(CueFlow.maximumText), as: UTF8.self))
        let region = shown.track.region(of: cue)
        let styler = CueStyler(sheet: shown.sheet, language: shown.language, frame: frame)
        let base = region.map { styler.style(ofRegion: $0.identifier).text } ?? styler.initial
        let styled = styler.style(cue, content, at: time, base: base)
        let inline = InlineContent(content, styled, language: shown.language)
        let isRightToLeft = BaseDirection.isRightToLeft(inline.paragraphs.lazy.flatMap(\.scalars))
        let placement = CuePlacement(cue.settings, track: track, isRightToLeft: isRightToLeft)
        let flowed = FlowedCue(
            inline, root: .init(style: styled.root, language: shown.language),
            width: width(cue.settings, placement, region: region),
            isVertical: cue.settings.writingDirection != .horizontal, alignment: cue.settings.textAlignment,
            measuring: measuring)
        guard !flowed.lines.isEmpty else { return nil }
        return PlacedCue(
            track: track, index: index, cue: cue, region: region, flowed: flowed, style: styled.box,
            isRightToLeft: isRightToLeft, timestamps: content.timestamps)
    }

    private func width(_ settings: CueSettings, _ placement: CuePlacement, region: CueRegion?) -> Double {
        if let region { return region.width * Double(frame.width) / 100 }
        let isHorizontal = settings.writingDirection == .horizontal
        return placement.size * Double(isHorizontal ? frame.width : frame.height) / 100
    }
}
