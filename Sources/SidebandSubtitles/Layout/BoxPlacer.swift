/// Moves a cue's box to where it overlaps no other (WebVTT §7.2, step 10).
struct BoxPlacer {
    let frame: FrameSize
    /// The boxes that are already there.
    let obstacles: [FrameRect]

    /// How a cue counts lines.
    struct Lines {
        var writingDirection: CueSettings.WritingDirection
        /// How high the first line is, across the lines.
        var step: Double
        /// The line wanted; negative from the end.
        var line: Double
    }

    /// The place of a box that counts lines; `nil` when there is no room for it.
    ///
    /// - Parameter box: with its final place along the lines, and 0 across them.
    func snapped(_ box: FrameRect, _ lines: Lines) -> FrameRect? {
        let isHorizontal = lines.writingDirection == .horizontal
        guard lines.step > 0 else { return box }
        let full = Double(isHorizontal ? frame.height : frame.width)
        var step = lines.step
        var line = min(max((lines.line + 0.5).rounded(.down), -1e6), 1e6)
        if lines.writingDirection == .growingLeft { line = -(line + 1) }
        var position = step * line
        if lines.writingDirection == .growingLeft { position += step - box.width }
        if line < 0 {
            position += full
            step = -step
        }
        let first = lines.writingDirection == .growingLeft ? box.width - lines.step : 0
        let run = Run(isHorizontal: isHorizontal, firstLine: first, thickness: lines.step, full: full)
        return free(box, from: position, by: step, run) ?? free(box, from: position, by: -step, run)
    }

    /// The facts of the first line for the search along one direction: its place in the box, its thickness, and the
    /// room there is.
    private struct Run {
        var isHorizontal: Bool
        var firstLine: Double
        var thickness: Double
        var full: Double
    }

    /// The first free place in one direction, until the first line leaves the picture.
    private func free(_ box: FrameRect, from start: Double, by step: Double, _ run: Run) -> FrameRect? {
        var position = start
        // Outside of the picture nothing is free: the first step from there goes to its edge.
        let length = run.isHorizontal ? box.height : box.width
        let distance = step < 0 ? start - run.full : -start - length
        position += max(0, (distance / abs(step)).rounded(.down)) * step
        while true {
            let moved = run.isHorizontal ? box.moved(y: position) : box.moved(x: position)
            if isFree(moved) { return moved }
            let first = position + run.firstLine
            if step < 0 ? first < -0.01 : first + run.thickness > run.full + 0.01 { return nil }
            position += step
        }
    }

    private func isFree(_ box: FrameRect) -> Bool {
        box.isWithin(frame) && !obstacles.contains { $0.overlaps(box) }
    }
}

// MARK: - Percentages

extension BoxPlacer {
    /// With more boxes than this in the way, only places straight above, below, left and right are looked at.
    private static let maximumObstacles = 40

    /// The nearest free place to a box; the box itself if there is none.
    func nearest(to box: FrameRect) -> FrameRect {
        if isFree(box) { return box }
        let (width, height) = (Double(frame.width), Double(frame.height))
        let xs = places(box.width, full: width, obstacles: obstacles.map { ($0.x, $0.right) })
        let ys = places(box.height, full: height, obstacles: obstacles.map { ($0.y, $0.bottom) })
        var places = xs.map { ($0, box.y) } + ys.map { (box.x, $0) }
        if obstacles.count <= BoxPlacer.maximumObstacles {
            places += xs.flatMap { x in ys.map { (x, $0) } }
        }
        return nearestFree(places, to: box) ?? box
    }

    /// The places at which a box touches an edge of the picture or of an obstacle.
    private func places(_ length: Double, full: Double, obstacles: [(Double, Double)]) -> [Double] {
        let last = full - length
        guard last >= -0.01 else { return [] }
        let edges = obstacles.flatMap { [$0.0 - length, $0.1] }.filter { $0 > 0 && $0 <= last }
        return Array(Set([0, max(last, 0)] + edges))
    }

    private func nearestFree(_ places: [(x: Double, y: Double)], to box: FrameRect) -> FrameRect? {
        func distance(_ place: (x: Double, y: Double)) -> Double {
            let (x, y) = (place.x - box.x, place.y - box.y)
            return x * x + y * y
        }
        let ordered = places.map { (distance: distance($0), place: $0) }.sorted {
            if abs($0.distance - $1.distance) > 1e-6 { return $0.distance < $1.distance }
            return $0.place.y == $1.place.y ? $0.place.x < $1.place.x : $0.place.y < $1.place.y
        }
        for (_, place) in ordered {
            let moved = FrameRect(x: place.x, y: place.y, width: box.width, height: box.height)
            if isFree(moved) { return moved }
        }
        return nil
    }
}

extension BoxPlacer {
    /// The box of a cue outside of regions (WebVTT §7.2); `nil` when there is no room for it.
    func box(of placed: PlacedCue) -> FrameRect? {
        let settings = placed.cue.settings
        let wanted = CuePlacement(settings, track: placed.track, isRightToLeft: placed.isRightToLeft)
        let isHorizontal = settings.writingDirection == .horizontal
        let (width, height) = (Double(frame.width), Double(frame.height))
        let flowed = placed.flowed
        var box =
            isHorizontal
            ? FrameRect(x: wanted.position * width / 100, y: 0, width: flowed.width, height: flowed.height)
            : FrameRect(x: 0, y: wanted.position * height / 100, width: flowed.height, height: flowed.width)
        if settings.snapsToLines {
            return snapped(
                box,
                .init(
                    writingDirection: settings.writingDirection, step: flowed.lines.first?.height ?? 0,
                    line: wanted.line))
        }
        let share = settings.lineAlignment == .start ? 0 : settings.lineAlignment == .center ? 0.5 : 1
        if isHorizontal {
            box.y = (wanted.line * height / 100 - flowed.height * share).rounded()
        } else {
            box.x = (wanted.line * width / 100 - flowed.height * share).rounded()
        }
        return nearest(to: box)
    }
}
