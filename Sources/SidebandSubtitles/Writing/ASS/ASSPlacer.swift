/// Finds the places of cues by the rules of the layout (WebVTT §7), with estimated font metrics.
///
/// Cues at the default place that meet only others of their kind are left to libass, which stacks them.
struct ASSPlacer {
    /// A cue in a part of its time.
    struct Stretch {
        var start: CueTime
        var end: CueTime
        var place: ASSPlace
    }

    private struct Taken {
        var end: CueTime
        var rect: FrameRect
    }

    /// How many cues at one time are kept apart, and in how many steps the cues of a region move.
    private static let limit = 20

    private let shown: ShownTrack
    private let frame: FrameSize
    private let flow: CueFlow
    /// For each cue, whether libass places it.
    private let isPlain: [Bool]
    private var taken: [Taken] = []
    /// Cues in regions, by their index.
    private var flowed: [Int: PlacedCue] = [:]

    /// The cues in display order.
    var cues: [Cue] { shown.track.cues }

    /// Style sheets are not looked at: places are for text of the usual size.
    init(_ track: SubtitleTrack, frame: FrameSize) {
        shown = ShownTrack(SubtitleTrack(cues: track.cues, regions: track.regions))
        self.frame = frame
        flow = CueFlow(
            frame: frame, time: CueTime(milliseconds: 0), measuring: EstimatingMeasurer())
        isPlain = ASSPlacer.plain(shown.track.cues)
    }

    /// Cues that are there at the same time, in a chain, are plain when all of them are.
    private static func plain(_ cues: [Cue]) -> [Bool] {
        var plain = [Bool](repeating: true, count: cues.count)
        var (first, end, isPlain) = (0, CueTime(milliseconds: .min), true)
        for (index, cue) in cues.enumerated() {
            if cue.start >= end { (first, isPlain) = (index, true) }
            end = max(end, cue.end)
            if !isPlain {
                plain[index] = false
            } else if !cue.settings.isUsualPlace {
                isPlain = false
                for place in first...index { plain[place] = false }
            }
        }
        return plain
    }

    /// The places of a cue, one after the other. Cues must be passed in order.
    mutating func stretches(of index: Int, isRightToLeft: Bool) -> [Stretch] {
        let cue = cues[index]
        let usual = Stretch(
            start: cue.start, end: cue.end,
            place: ASSPlace(cue.settings, of: frame, isRightToLeft: isRightToLeft))
        guard !isPlain[index], let placed = flow.flow(shown, track: 0, index: index) else { return [usual] }
        taken.removeAll { $0.end <= cue.start }
        if let region = placed.region {
            take(RegionLayout(frame: frame).rect(region), until: cue.end)
            flowed = flowed.filter { $0.value.cue.end > cue.start }
            flowed[index] = placed
            let found = stretches(of: placed, region)
            return found.isEmpty ? [usual] : found
        }
        let placer = BoxPlacer(frame: frame, obstacles: taken.map(\.rect))
        guard let box = placer.box(of: placed) else { return [usual] }
        take(box, until: cue.end)
        return [Stretch(start: cue.start, end: cue.end, place: ASSPlace(placed, in: box, of: frame))]
    }

    private mutating func take(_ rect: FrameRect, until end: CueTime) {
        if taken.count < ASSPlacer.limit { taken.append(Taken(end: end, rect: rect)) }
    }

    /// A cue in a region moves whenever another one appears or disappears.
    private mutating func stretches(of placed: PlacedCue, _ region: CueRegion) -> [Stretch] {
        var stretches: [Stretch] = []
        var time = placed.cue.start
        while time < placed.cue.end, stretches.count < ASSPlacer.limit {
            guard let place = place(of: placed, in: region, at: time) else { break }
            if stretches.last?.place != place {
                stretches.append(Stretch(start: time, end: placed.cue.end, place: place))
                if stretches.count > 1 { stretches[stretches.count - 2].end = time }
            }
            time = shown.changes(around: time).next ?? placed.cue.end
        }
        return stretches
    }

    private mutating func place(of placed: PlacedCue, in region: CueRegion, at time: CueTime) -> ASSPlace? {
        let others = cues(in: region, at: time)
        guard let number = others.firstIndex(where: { $0.index == placed.index }) else { return nil }
        let layout = RegionLayout(frame: frame)
        // The time after all movements have ended.
        let rest = CueTime(milliseconds: time.milliseconds + 60_000)
        let boxes = layout.box(region, others, style: placed.style, at: rest).cues
        let isMoving = region.scrollsUp && RegionLayout.isScrolling(others, at: time)
        let new = others.filter { $0.cue.start == time }
        let rise = isMoving ? new.reduce(0) { $0 + $1.flowed.height } : 0
        return ASSPlace(
            placed, in: boxes[number].rect, of: frame, region: layout.rect(region), rise: rise)
    }

    private mutating func cues(in region: CueRegion, at time: CueTime) -> [PlacedCue] {
        shown.active(at: time, limit: ASSPlacer.limit).compactMap { index in
            let known = flowed[index] ?? flow.flow(shown, track: 0, index: index)
            flowed[index] = known
            return known?.region == region ? known : nil
        }
    }
}

extension CueSettings {
    /// Whether only alignment and length place the lines.
    fileprivate var isUsualPlace: Bool {
        line == nil && snapsToLines && writingDirection == .horizontal && region == nil
    }
}

/// Measures text for an unknown font: letters are half as wide as the font is high, and lines are as high as in most
/// fonts.
struct EstimatingMeasurer: TextMeasuring {
    func measure(_ run: TextRun) -> TextExtent {
        let size = run.font.size
        let cells = run.text.reduce(0) { $0 + CellMeasurer.cells(of: $1) }
        let width = run.isVertical ? Double(run.text.count) * size : Double(cells) * size * 0.5
        return TextExtent(width: width, ascent: size * 0.9, descent: size * 0.26)
    }

    func analyze(_ paragraph: String, isRightToLeft: Bool) -> TextAnalysis {
        CellMeasurer().analyze(paragraph, isRightToLeft: isRightToLeft)
    }
}
