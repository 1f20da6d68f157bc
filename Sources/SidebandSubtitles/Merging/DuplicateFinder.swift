/// Finds cues that stand in more than one segment because they are shown over the border between them.
///
/// It knows the cues of one discontinuity. Cues are the same when text and settings are; identifiers do not
/// count, since packagers number them anew, and neither do the timestamps in a text, which rounding moves as it does
/// times. Within one segment nothing is a duplicate.
struct DuplicateFinder {
    /// The ways to treat a cue.
    enum Verdict: Equatable {
        /// It is not there yet.
        case new
        /// It is the cue at this index, which is to end at these ticks.
        case partOf(Int, end: Int)
    }

    /// A cue that is there.
    private struct Known {
        var index: Int
        var segment: Int
        var time: TickRange
    }

    private struct Look: Hashable {
        var text: String
        var settings: StoredSettings?
    }

    /// Times that differ by less than a slot fall into the same slot or the next one.
    private struct Slot: Hashable {
        var look: Int
        var start: Int
        var end: Int
    }

    /// 1.5 ms: how much rounding may move a time.
    private static let rounding = 135
    /// 0.1 s: how far a segment's start may be from where the playlist's durations say it is.
    private static let drift = 9_000

    private var looks: [Look: Int] = [:]
    private var bySlot: [Slot: Known] = [:]
    /// The latest and longest cue of each look.
    private var latest: [Int: Known] = [:]

    /// Judges a cue and remembers it.
    ///
    /// - Parameters:
    ///   - index: the index that the cue gets when it is new.
    ///   - segment: the number of the segment; the one before it has a number less by one.
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

    /// The cue whose next piece the time is, made as long as both.
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

    /// Whether a cue was cut at a segment's border: the second piece starts there, or has the whole time and
    /// the first piece ends there.
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
