/// Where a cue stands, in the terms of ASS (WebVTT §7.2 for what the settings mean).
///
/// A cue whose line is automatic is placed by alignment and margins, so that libass keeps cues from covering each
/// other. One with a line of its own gets a position.
struct ASSPlace {
    private(set) var overrides = ""
    private(set) var marginLeft = 0
    private(set) var marginRight = 0
    private(set) var marginVertical = 0
    /// Whether the lines are written last first: ASS turns vertical text so that lines run to the left.
    private(set) var reversesLines = false

    /// The height of a line of text: the font size of WebVTT, 5 % of the picture, with the usual leading.
    static func lineHeight(of picture: PictureSize) -> Int { max(1, (picture.height * 56 + 500) / 1000) }

    /// How far plain cues stay from the picture's edge.
    static func margin(of picture: PictureSize) -> Int { (picture.height * 4 + 50) / 100 }

    init(_ settings: CueSettings, in region: CueRegion?, of picture: PictureSize, isRightToLeft: Bool) {
        let side = ASSPlace.side(of: settings, isRightToLeft: isRightToLeft)
        if let region, settings.writingDirection == .horizontal {
            placeInRegion(region, settings, side, picture)
        } else if settings.writingDirection != .horizontal {
            placeVertically(settings, side, picture)
        } else {
            placeHorizontally(settings, side, picture)
        }
    }

    /// 1, 2 or 3 for text at the left, in the middle or at the right of its box.
    private static func side(of settings: CueSettings, isRightToLeft: Bool) -> Int {
        switch settings.textAlignment {
        case .left: 1
        case .center: 2
        case .right: 3
        case .start: isRightToLeft ? 3 : 1
        case .end: isRightToLeft ? 1 : 3
        }
    }

    /// Where a cue's box begins and ends along its lines, as parts of the picture (WebVTT §7.2, steps 4 to 8).
    private static func extent(_ settings: CueSettings, _ side: Int) -> (start: Double, end: Double) {
        let position = settings.position ?? [0, 50, 100][side - 1]
        let anchor =
            switch settings.positionAlignment {
            case .lineLeft: 0.0
            case .center: 0.5
            case .lineRight: 1.0
            case .auto: [0, 0.5, 1][side - 1]
            }
        let room = anchor == 0 ? 100 - position : anchor == 1 ? position : min(position, 100 - position) * 2
        let size = min(settings.size, room)
        let start = position - size * anchor
        return (start / 100, (start + size) / 100)
    }

    private mutating func placeHorizontally(_ settings: CueSettings, _ side: Int, _ picture: PictureSize) {
        let box = ASSPlace.extent(settings, side)
        setMargins(box, width: picture.width)
        guard let line = settings.line else {
            if side != 2 { overrides = "\\an\(side)" }
            if !settings.snapsToLines { marginVertical = 1 }
            return
        }
        let x = ASSPlace.pixels(box.start + (box.end - box.start) * Double(side - 1) / 2, picture.width)
        let (row, edge) = ASSPlace.edge(
            line, settings, length: picture.height, step: ASSPlace.lineHeight(of: picture))
        let alignment = [6, 3, 0][row] + side
        overrides = "\\an\(alignment)\\pos(\(x),\(edge))"
    }

    /// Vertical text is horizontal text in a font for columns, turned to the right by a quarter. Its upper edge then
    /// is at the right.
    private mutating func placeVertically(_ settings: CueSettings, _ side: Int, _ picture: PictureSize) {
        let box = ASSPlace.extent(settings, side)
        // Text that is turned is not broken by the margins that the picture's width gives.
        marginRight = max(0, picture.width - ASSPlace.pixels(box.end - box.start, picture.height))
        let y = ASSPlace.pixels(box.start + (box.end - box.start) * Double(side - 1) / 2, picture.height)
        let growsLeft = settings.writingDirection == .growingLeft
        reversesLines = !growsLeft
        let (edge, x) = ASSPlace.edge(
            settings.line ?? (settings.snapsToLines ? -1 : 100), settings, length: picture.width,
            step: ASSPlace.lineHeight(of: picture))
        let isMirrored = growsLeft && settings.snapsToLines
        let row = isMirrored ? edge : 2 - edge
        overrides = "\\an\([6, 3, 0][row] + side)\\pos(\(isMirrored ? picture.width - x : x),\(y))"
        overrides += "\\fn@sans-serif\\frz-90"
    }

    /// Cues of a region stand above one another from its lower edge.
    private mutating func placeInRegion(
        _ region: CueRegion, _ settings: CueSettings, _ side: Int, _ picture: PictureSize
    ) {
        let width = region.width / 100
        let left = region.viewportAnchor.x / 100 - region.anchor.x / 100 * width
        let box = ASSPlace.extent(settings, side)
        setMargins((left + box.start * width, left + box.end * width), width: picture.width)
        let height =
            min(region.lines, 1000) * Double(ASSPlace.lineHeight(of: picture)) / Double(picture.height)
        let bottom = region.viewportAnchor.y / 100 + (1 - region.anchor.y / 100) * height
        // A margin of 0 means that of the style.
        marginVertical = max(1, picture.height - ASSPlace.pixels(bottom, picture.height))
        overrides = "\\an\(side)"
    }

    private mutating func setMargins(_ box: (start: Double, end: Double), width: Int) {
        marginLeft = ASSPlace.pixels(max(0, box.start), width)
        marginRight = max(0, width - ASSPlace.pixels(min(1, box.end), width))
    }

    /// Which edge of the box a line places, 0 for the first, 1 for the middle, 2 for the last, and where.
    private static func edge(
        _ line: Double, _ settings: CueSettings, length: Int, step: Int
    ) -> (row: Int, place: Int) {
        guard settings.snapsToLines else {
            let row =
                switch settings.lineAlignment {
                case .start: 0
                case .center: 1
                case .end: 2
                }
            return (row, pixels(line / 100, length))
        }
        let rounded = (line + 0.5).rounded(.down)
        let limit = Double(length / step)
        let number = Int(min(max(rounded, -limit), limit - 1))
        return number >= 0 ? (0, number * step) : (2, length + (number + 1) * step)
    }

    private static func pixels(_ part: Double, _ length: Int) -> Int {
        Int((min(max(part, -10), 10) * Double(length)).rounded())
    }
}
