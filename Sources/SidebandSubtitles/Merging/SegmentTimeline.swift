/// Times of cues in 90 kHz ticks from the start of their discontinuity.
struct TickRange {
    var start: Int
    var end: Int
}

/// Maps the cue times of one segment to the timeline (RFC 8216bis §3.1.4).
struct SegmentTimeline {
    /// The start of the discontinuity, in seconds.
    private let origin: Double
    /// The segment, in ticks from `origin`.
    let segment: TickRange
    /// The ticks to add to a cue time to get its distance from `origin`.
    private let offset: Int
    private let wraps: Bool

    /// - Parameters:
    ///   - map: the map in force; `nil` when cue times are times of the presentation.
    ///   - firstTicks: the ticks at `origin`.
    init(place: SegmentPlace, origin: Double, map: TimestampMap?, firstTicks: Int) {
        self.origin = origin
        let start = MediaTicks.ticks(place.start - origin)
        segment = TickRange(start: start, end: start + max(MediaTicks.ticks(place.duration), 0))
        wraps = map != nil
        if let map {
            let difference = map.mpegTicks % MediaTicks.wrap - firstTicks % MediaTicks.wrap
            offset = difference - map.local.milliseconds * 90
        } else {
            offset = -MediaTicks.ticks(origin)
        }
    }

    /// The time of a cue in ticks: of all times that are equal modulo 2^33, the nearest to the segment.
    func place(_ cue: Cue) -> TickRange {
        let start = nearest(cue.start.milliseconds * 90 + offset)
        return TickRange(start: start, end: start + (cue.end.milliseconds - cue.start.milliseconds) * 90)
    }

    /// Converts ticks to a time of the presentation. Nothing is rounded before.
    func time(_ ticks: Int) -> CueTime {
        CueTime(seconds: origin + Double(ticks) / MediaTicks.perSecond)
    }

    private func nearest(_ ticks: Int) -> Int {
        guard wraps else { return ticks }
        let distance =
            ticks < segment.start ? segment.start - ticks : ticks > segment.end ? segment.end - ticks : 0
        return ticks + Int((Double(distance) / Double(MediaTicks.wrap)).rounded()) * MediaTicks.wrap
    }
}
