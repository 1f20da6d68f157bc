/// The position of a cue's box that its settings give: WebVTT §3.2 ("computed line", "computed position") and §7.2, steps 1 to
/// 7.
struct CuePlacement {
    /// The box's place along the lines, in percent.
    var position: Double
    /// The length of the lines, in percent.
    var size: Double
    /// The number of lines, or a percentage.
    var line: Double
    /// The point of a region's width to which `position` applies: 0 its left, 0.5 its middle, 1 its right.
    private(set) var anchor: Double

    /// - Parameters:
    ///   - track: how many tracks are shown before the cue's.
    ///   - isRightToLeft: the base direction of the cue's text.
    init(_ settings: CueSettings, track: Int, isRightToLeft: Bool) {
        anchor = CuePlacement.anchor(settings, isRightToLeft)
        let computed = CuePlacement.position(settings, isRightToLeft)
        let maximum =
            switch anchor {
            case 0: 100 - computed
            case 1: computed
            default: min(computed, 100 - computed) * 2
            }
        size = min(settings.size, maximum)
        position = computed - size * anchor
        line = CuePlacement.line(settings, track: track)
    }

    private static func line(_ settings: CueSettings, track: Int) -> Double {
        guard let line = settings.line else { return settings.snapsToLines ? Double(-track - 1) : 100 }
        return !settings.snapsToLines && (line < 0 || line > 100) ? 100 : line
    }

    /// The computed position. For start and end the algorithm of the standard says 50, so that the text would begin in the
    /// middle of the picture; its example of the same section shows it at the side, and so do browsers.
    private static func position(_ settings: CueSettings, _ isRightToLeft: Bool) -> Double {
        if let position = settings.position { return position }
        switch settings.textAlignment {
        case .left: return 0
        case .right: return 100
        case .center: return 50
        case .start: return settings.positionAlignment == .auto ? (isRightToLeft ? 100 : 0) : 50
        case .end: return settings.positionAlignment == .auto ? (isRightToLeft ? 0 : 100) : 50
        }
    }

    private static func anchor(_ settings: CueSettings, _ isRightToLeft: Bool) -> Double {
        switch settings.positionAlignment {
        case .lineLeft: 0
        case .center: 0.5
        case .lineRight: 1
        case .auto:
            switch settings.textAlignment {
            case .left: 0
            case .right: 1
            case .center: 0.5
            case .start: isRightToLeft ? 1 : 0
            case .end: isRightToLeft ? 0 : 1
            }
        }
    }

    /// How far right of a region's left edge the cue's box begins, in percent of the region's width (WebVTT §7.1,
    /// step 14).
    ///
    /// - Parameter regionWidth: in percent of the picture's.
    static func offset(_ settings: CueSettings, regionWidth: Double, isRightToLeft: Bool) -> Double {
        (position(settings, isRightToLeft) / 100 - anchor(settings, isRightToLeft)) * regionWidth
    }
}
