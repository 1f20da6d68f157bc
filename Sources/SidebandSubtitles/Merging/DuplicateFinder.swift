/// Finds cues that are in more than one segment because they cross the border between them.
///
/// It remembers the cues of one discontinuity. Two cues look the same if their texts and settings are equal.
/// Identifiers are ignored, because packagers number cues anew in each segment. Timestamps in a text are ignored,
/// because they are rounded like times. Two cues of one segment are never duplicates.
struct DuplicateFinder {
    /// The decision about a cue.
    enum Verdict: Equatable {
        /// The cue is new.
        case new
        /// The cue is a part of the known cue at this index. That one now ends at `end`, in ticks.
        case partOf(Int, end: Int)
    }

    /// A known cue.
    private struct Known {
        var index: Int
        var segment: Int
        var time: TickRange
    }

    private struct Look: Hashable {
        var text: String
        var settings: StoredSettings?
    }

    /// Times in units of `rounding`. Times that differ by less than one unit are in the same slot or in neighbors.
    private struct Slot: Hashable {
        var look: Int
        var start: Int
        var end: Int
    }

    /// The largest change of a time by rounding: 1.5 ms, in ticks.
    private static let rounding = 135
    /// The largest distance between a segment's real start and the sum of the durations before it: 0.1 s, in ticks.
    private static let drift = 9_000

    private var looks: [Look: Int] = [:]
    private var bySlot: [Slot: Known] = [:]
    /// The latest cue of each look; of several in one segment, the one that ends last.
    private var latest: [Int: Known] = [:]

    /// Judges a cue and remembers it.
    ///
    /// - Parameters:
    ///   - index: the index of the cue if it is new.
    ///   - segment: the number of the segment, which grows by one with each segment.
    mutating func judge(
        _ cue: Cue, _ time: TickRange, index: Int, segment: Int, segmentStart: Int
    ) -> Verdict {
        let (look, isNewLook) = number(
            of: Look(text: cue.textWithoutTimestamps, settings: cue.storedSettings))
        let slot = Slot(look: look, start: time.start / Self.rounding, end: time.end / Self.rounding)
        let known = isNewLook ? nil : copy(of: time, slot, notIn: segment)
        if let known = known ?? whole(look, time, segment: segment, border: segmentStart) {
            remember(Known(index: known.index, segment: segment, time: known.time), look)
            return .partOf(known.index, end: known.time.end)
        }
        let new = Known(index: index, segment: segment, time: time)
        if bySlot[slot] == nil { bySlot[slot] = new }
        remember(new, look)
        return .new
    }

    private mutating func number(of look: Look) -> (Int, isNew: Bool) {
        if let number = looks[look] { return (number, false) }
        looks[look] = looks.count
        return (looks.count - 1, true)
    }

    /// The known cue that continues in a cue with this time, extended to the later end; `nil` without one.
    private func whole(_ look: Int, _ time: TickRange, segment: Int, border: Int) -> Known? {
        guard var known = latest[look], known.segment == segment - 1,
            Self.continues(known.time, with: time, at: border)
        else { return nil }
        known.time.end = max(known.time.end, time.end)
        return known
    }

    private func copy(of time: TickRange, _ slot: Slot, notIn segment: Int) -> Known? {
        for start in slot.start - 1...slot.start + 1 {
            for end in slot.end - 1...slot.end + 1 {
                guard let known = bySlot[Slot(look: slot.look, start: start, end: end)],
                    known.segment != segment, Self.isNear(known.time.start, time.start),
                    Self.isNear(known.time.end, time.end)
                else { continue }
                return known
            }
        }
        return nil
    }

    private mutating func remember(_ known: Known, _ look: Int) {
        if let other = latest[look], other.segment == known.segment, other.time.end >= known.time.end {
            return
        }
        latest[look] = known
    }

    /// Whether two pieces are one cue that was cut at a segment's border. Either the second piece starts at the
    /// border, or the second piece has the whole time and the first one ends at the border.
    private static func continues(_ first: TickRange, with second: TickRange, at border: Int) -> Bool {
        if abs(second.start - border) <= drift {
            return first.start < second.start && first.end >= second.start - rounding
        }
        return isNear(first.start, second.start) && abs(first.end - border) <= drift && second.end > first.end
    }

    private static func isNear(_ first: Int, _ second: Int) -> Bool {
        abs(first - second) <= rounding
    }
}
