/// The place of a cue, in the terms of ASS.
///
/// A cue at the usual place is placed by alignment and margins, so that libass keeps it from covering others of its kind.
/// Others get a position.
struct ASSPlace: Equatable {
    private(set) var overrides = ""
    private(set) var marginLeft = 0
    private(set) var marginRight = 0
    /// Whether lines are written in reverse order: ASS rotates vertical text so that lines run to the left.
    private(set) var reversesLines = false

    /// The height of a line of text: the font size of WebVTT, 5 % of the picture, with the usual leading.
    static func lineHeight(of picture: FrameSize) -> Int { max(1, (picture.height * 56 + 500) / 1000) }

    /// How far cues at the usual place stay from the picture's edge.
    static func margin(of picture: FrameSize) -> Int { (picture.height * 4 + 50) / 100 }

    /// At the lower edge, where cues of this kind are stacked.
    init(_ settings: CueSettings, of picture: FrameSize, isRightToLeft: Bool) {
        let placement = CuePlacement(settings, track: 0, isRightToLeft: isRightToLeft)
        let side = ASSPlace.side(of: settings, isRightToLeft)
        setMargins(
            (placement.position / 100, (placement.position + placement.size) / 100), width: picture.width)
        if side != 2 { overrides = "\\an\(side)" }
    }

    /// Makes the place in a box of the layout. The edge that the author has placed, upper, lower or middle, stays in
    /// place if the text is longer or shorter than estimated.
    init(_ placed: PlacedCue, in box: FrameRect, of picture: FrameSize) {
        let settings = placed.cue.settings
        let side = ASSPlace.side(of: settings, placed.isRightToLeft)
        let along = Double(side - 1) / 2
        let edge = ASSPlace.edge(settings)
        guard settings.writingDirection != .horizontal else {
            setMargins(
                (box.x / Double(picture.width), box.right / Double(picture.width)), width: picture.width)
            let place = (box.x + box.width * along, box.y + box.height * edge)
            overrides = "\\an\([6, 3, 0][Int(edge * 2)] + side)\(ASSPlace.position(place))"
            return
        }
        // Vertical text is horizontal text in a font for columns, rotated clockwise by a quarter. Its upper edge is
        // then on the right.
        let isMirrored = settings.writingDirection == .growingLeft && settings.snapsToLines
        let across = isMirrored ? 1 - edge : edge
        // Rotated text must not be wrapped by margins that are computed from the picture's width.
        marginRight = max(0, picture.width - ASSPlace.pixels(box.height))
        reversesLines = settings.writingDirection == .growingRight
        let place = (box.x + box.width * across, box.y + box.height * along)
        overrides = "\\an\([0, 3, 6][Int(across * 2)] + side)\(ASSPlace.position(place))"
        overrides += "\\fn@sans-serif\\frz-90"
    }

    /// Makes the place in a region, which clips its text.
    ///
    /// - Parameter rise: the distance by which it first moves up.
    init(_ placed: PlacedCue, in box: FrameRect, of picture: FrameSize, region: FrameRect, rise: Double) {
        let side = ASSPlace.side(of: placed.cue.settings, placed.isRightToLeft)
        setMargins(
            (box.x / Double(picture.width), box.right / Double(picture.width)), width: picture.width)
        let (x, y) = (box.x + box.width * Double(side - 1) / 2, box.bottom)
        let place =
            rise == 0 ? ASSPlace.position((x, y)) : ASSPlace.movement((x, y + rise), to: (x, y))
        let edges = [region.x, region.y, region.right, region.bottom].map { "\(ASSPlace.pixels($0))" }
        overrides = "\\an\(side)\(place)\\clip(\(edges.joined(separator: ",")))"
    }

    /// 1, 2 or 3 for text at the left, in the middle or at the right of its box.
    private static func side(of settings: CueSettings, _ isRightToLeft: Bool) -> Int {
        switch settings.textAlignment {
        case .left: 1
        case .center: 2
        case .right: 3
        case .start: isRightToLeft ? 3 : 1
        case .end: isRightToLeft ? 1 : 3
        }
    }

    /// The edge of the box that the author has placed: 0 the first, 0.5 the middle, 1 the last.
    private static func edge(_ settings: CueSettings) -> Double {
        guard settings.snapsToLines else {
            return settings.line == nil
                ? 1 : settings.lineAlignment == .start ? 0 : settings.lineAlignment == .center ? 0.5 : 1
        }
        return (settings.line ?? -1) + 0.5 >= 0 ? 0 : 1
    }

    private mutating func setMargins(_ box: (start: Double, end: Double), width: Int) {
        marginLeft = ASSPlace.pixels(max(0, box.start) * Double(width))
        marginRight = max(0, width - ASSPlace.pixels(min(1, box.end) * Double(width)))
    }

    private static func position(_ place: (x: Double, y: Double)) -> String {
        "\\pos(\(pixels(place.x)),\(pixels(place.y)))"
    }

    private static func movement(_ start: (x: Double, y: Double), to end: (x: Double, y: Double)) -> String {
        let places = [start.x, start.y, end.x, end.y].map { "\(pixels($0))" }.joined(separator: ",")
        return "\\move(\(places),0,\(Int(RegionLayout.scrollDuration)))"
    }

    private static func pixels(_ length: Double) -> Int { Int(min(max(length, -1e6), 1e6).rounded()) }
}
