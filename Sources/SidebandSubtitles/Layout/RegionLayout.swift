/// Places regions and the cues in them (WebVTT §7.1, steps 12 to 14).
struct RegionLayout {
    let frame: FrameSize

    /// How long a region takes to scroll, in milliseconds.
    static let scrollDuration = 433.0
    /// The largest height of a region in lines; a higher one is cut.
    private static let maximumLines = 1000.0

    /// The rectangle of a region.
    func rect(_ region: CueRegion) -> FrameRect {
        let (width, height) = (Double(frame.width), Double(frame.height))
        let size = (
            width: region.width * width / 100,
            height: min(region.lines, RegionLayout.maximumLines) * height * 6 / 100
        )
        return FrameRect(
            x: region.viewportAnchor.x * width / 100 - region.anchor.x * size.width / 100,
            y: region.viewportAnchor.y * height / 100 - region.anchor.y * size.height / 100,
            width: size.width, height: size.height)
    }

    /// A region with its cues, the latest at the bottom. Its height is that of all its lines, as in browsers, not
    /// only of the present ones. Without scrolling, overflow is cut at the bottom (WebVTT §3.4).
    ///
    /// - Parameter cues: the region's visible cues, in order.
    func box(_ region: CueRegion, _ cues: [PlacedCue], style: BoxStyle, at time: CueTime) -> RegionBox {
        let rect = rect(region)
        let total = cues.reduce(0) { $0 + $1.flowed.height }
        let fits = total <= rect.height || region.scrollsUp
        var top = fits ? rect.bottom - total : rect.y
        if region.scrollsUp { top += scrollOffset(cues, at: time) }
        let boxes = cues.map { placed in
            let offset = CuePlacement.offset(
                placed.cue.settings, regionWidth: region.width, isRightToLeft: placed.isRightToLeft)
            let box = placed.box(
                at: FrameRect(
                    x: rect.x + offset * rect.width / 100, y: top, width: rect.width,
                    height: placed.flowed.height))
            top += placed.flowed.height
            return box
        }
        return RegionBox(identifier: region.identifier, rect: rect, style: style, cues: boxes)
    }

    /// How far the lines still have to go up.
    private func scrollOffset(_ cues: [PlacedCue], at time: CueTime) -> Double {
        guard RegionLayout.isScrolling(cues, at: time), let latest = cues.map(\.cue.start).max() else {
            return 0
        }
        let height = cues.filter { $0.cue.start == latest }.reduce(0) { $0 + $1.flowed.height }
        let elapsed = Double(time.milliseconds - latest.milliseconds) / RegionLayout.scrollDuration
        return (height * (1 - RegionLayout.ease(elapsed))).rounded()
    }

    /// Whether a cue was added to others so recently that they are still moving.
    static func isScrolling(_ cues: [PlacedCue], at time: CueTime) -> Bool {
        let starts = cues.map(\.cue.start)
        guard let latest = starts.max(), let first = starts.min(), first < latest else { return false }
        return Double(time.milliseconds - latest.milliseconds) < scrollDuration
    }

    /// The timing function `ease` (CSS Easing 1 §2.2) between 0 and 1.
    private static func ease(_ progress: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<30 {
            let middle = (low + high) / 2
            if curve(middle, 0.25, second: 0.25) < progress { low = middle } else { high = middle }
        }
        return curve(low, 0.1, second: 1)
    }

    private static func curve(_ t: Double, _ first: Double, second: Double) -> Double {
        let rest = 1 - t
        return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
    }
}
