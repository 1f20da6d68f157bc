package import HLSPlaylist

/// A rendition that is being recorded: finds the new segments in each load of its playlist. Pure.
///
/// The recording continues the origin's media sequence numbers. If the origin begins anew, its numbers are shifted.
/// Segments that came and went between two loads leave numbers for a gap.
package struct LiveWindow: Sendable {
    /// The number of the next segment.
    package private(set) var next: Int
    /// The number that is added to the origin's numbers.
    package private(set) var shift = 0
    /// The origin's discontinuity sequence number of the last segment.
    package private(set) var discontinuity: Int
    /// Seconds that are still to be recorded; `nil` is no limit.
    package var room: Double?
    /// The segments with the last numbers.
    private var known: [SegmentIdentity]
    private var dateRanges: [String: AttributeMerger] = [:]
    /// The reason that the next gap gets.
    private var lossReason = GapReason.window
    /// A load whose numbers were far below the known ones. Its segments are used only if the next load is like it.
    private var doubted: SegmentReader?

    /// How many segments are remembered.
    package static let memory = 512
    /// The largest number of missed segments; more of them mean another stream.
    static let largestGap = 10_000

    /// Begins at a segment of a playlist, which `take` then gives with those after it.
    package init(_ playlist: MediaPlaylist, base: URIReference, at index: Int, room: Double? = nil) {
        let first = playlist.segments[index]
        next = first.mediaSequence
        discontinuity = first.discontinuitySequence - (first.isDiscontinuity ? 1 : 0)
        known = Array(SegmentIdentity.all(of: playlist, base: base)[..<index].suffix(Self.memory))
        self.room = room
    }

    /// Continues after recorded segments.
    package init(after recorded: MediaPlaylist, shift: Int, discontinuity: Int, room: Double? = nil) {
        next = recorded.mediaSequence + recorded.segments.count
        (self.shift, self.discontinuity, self.room) = (shift, discontinuity, room)
        lossReason = .interrupted
        known = SegmentIdentity.all(of: recorded, base: URIReference("")).suffix(Self.memory)
        for list in recorded.mergedDateRanges {
            dateRanges[list["ID"] ?? "", default: AttributeMerger()].add(list)
        }
    }

    /// Takes the new part of a playlist.
    ///
    /// - Throws: `badInteger` if the recording's numbers would exceed those of a playlist; then nothing of it is
    ///   taken.
    package mutating func take(_ playlist: MediaPlaylist, base: URIReference) throws(PlaylistError)
        -> LiveGrowth
    {
        var grown = self
        let growth = grown.entered(playlist, base: base)
        guard grown.next <= MediaPlaylist.largestSequenceNumber else {
            throw PlaylistError(code: .badInteger, line: 0)
        }
        self = grown
        return growth
    }

    private mutating func entered(_ playlist: MediaPlaylist, base: URIReference) -> LiveGrowth {
        var growth = LiveGrowth(hasEnded: playlist.hasEndList)
        let listed = SegmentIdentity.all(of: playlist, base: base)
        guard let first = playlist.segments.first else { return growth }
        let verdict = judge(listed, from: number(first.mediaSequence))
        let reader = SegmentReader(playlist: playlist, base: base, listed: listed)
        let before = doubted
        doubted = nil
        if case .older(let isFar) = verdict, !isFar || before == nil {
            doubted = isFar ? reader : nil
            growth.hasEnded = false
            return growth
        }
        defer { lossReason = .window }
        growth.tags = newDateRanges(in: playlist)
        switch verdict {
        case .follows(let index): add(reader, from: index, to: &growth)
        case .lost(let count): fill(count, from: reader, &growth)
        case .renumbered(let index):
            shift = next - (first.mediaSequence + index)
            add(reader, from: index, to: &growth)
        case .restarted, .older: restart(reader, after: before, &growth)
        }
        return growth
    }

    /// Continues after the origin has begun anew. Segments of the doubted load before, which this load no longer
    /// lists, are added first.
    private mutating func restart(
        _ reader: SegmentReader, after before: SegmentReader?, _ growth: inout LiveGrowth
    ) {
        growth.gap = RecordedGap(number: next, count: 0, reason: .restarted)
        let ahead = before.map { reader.numberAhead(in: $0) } ?? 0
        shift = next + ahead - (reader.playlist.segments.first?.mediaSequence ?? 0)
        if let before { add(before, until: ahead, isDiscontinuity: true, to: &growth) }
        add(reader, isDiscontinuity: ahead == 0, to: &growth)
    }
}

// MARK: - Judging a load

extension LiveWindow {
    /// Limits of numbers, far below and above those of any recording, so that sums do not overflow.
    private static let farBehind = -(Int.max / 4)
    private static let farAhead = Int.max / 4 * 3

    /// The recording's number of a segment of the origin; numbers out of range stay out of range.
    private func number(_ origin: Int) -> Int {
        let (number, isBeyond) = origin.addingReportingOverflow(shift)
        return isBeyond ? Self.farAhead : min(max(number, Self.farBehind), Self.farAhead)
    }

    private enum Verdict {
        /// The load continues with the segment at this index, if there is one.
        case follows(Int)
        /// A number of segments appeared in the playlist and left it between two loads.
        case lost(Int)
        /// The same stream continues under other numbers.
        case renumbered(Int)
        /// The origin began anew.
        case restarted
        /// The load ends before the known segments. It comes from a stale cache, unless it is far behind.
        case older(isFar: Bool)
    }

    private func judge(_ listed: [SegmentIdentity], from first: Int) -> Verdict {
        let (end, oldest) = (first + listed.count, next - known.count)
        let begin = max(first, oldest)
        let isFar = next - end > max(2 * listed.count, 10)
        if begin < min(end, next) {
            let isSame = (begin..<min(end, next)).contains { listed[$0 - first].isLike(known[$0 - oldest]) }
            guard isSame else { return moved(listed) }
            return end < next ? .older(isFar: isFar) : .follows(next - first)
        }
        // No listed segment is known. If the next load is the same, it does not come from a stale cache.
        guard first >= next else { return .older(isFar: true) }
        if first == next { return .follows(0) }
        return first - next > Self.largestGap || isAgain(listed) ? moved(listed) : .lost(first - next)
    }

    /// Whether the load lists the last recorded segment with the same date. The name is not enough, since an origin
    /// may reuse names.
    private func isAgain(_ listed: [SegmentIdentity]) -> Bool {
        guard let last = known.last, last.date != nil else { return false }
        return listed.contains { $0.date != nil && $0.address == last.address && $0.isLike(last) }
    }

    /// Decides whether the stream continues under other numbers, or the origin has begun anew.
    private func moved(_ listed: [SegmentIdentity]) -> Verdict {
        guard let last = known.last,
            let index = listed.lastIndex(where: { $0.address == last.address && $0.isLike(last) })
        else { return .restarted }
        return .renumbered(index + 1)
    }
}

// MARK: - Adding segments

extension LiveWindow {
    private mutating func add(
        _ reader: SegmentReader, from index: Int = 0, until end: Int = .max, isDiscontinuity: Bool = false,
        to growth: inout LiveGrowth
    ) {
        for place in max(0, index)..<max(0, index, min(end, reader.listed.count)) {
            guard room.map({ $0 > 0 }) ?? true else { break }
            let segment = reader.playlist.segments[place]
            var entry = reader.entry(segment, isShifted: shift != 0)
            if isDiscontinuity, place == index { entry.isDiscontinuity = true }
            discontinuity = segment.discontinuitySequence
            if !entry.isGap { growth.keySets.append((reader.playlist, segment)) }
            append(entry, reader.listed[place], to: &growth)
        }
        if let room, room <= 0 { growth.isFull = true }
    }

    private mutating func append(
        _ entry: SegmentEntry, _ identity: SegmentIdentity, to growth: inout LiveGrowth
    ) {
        growth.entries.append(entry)
        next += 1
        room = room.map { $0 - entry.duration }
        known.append(identity)
        if known.count > 2 * Self.memory { known.removeFirst(Self.memory) }
    }

    /// Adds gaps for the missed segments, then the listed segments. Missed discontinuities are set on the gaps.
    private mutating func fill(_ count: Int, from reader: SegmentReader, _ growth: inout LiveGrowth) {
        let first = reader.playlist.segments[reader.playlist.segments.startIndex]
        var hidden = first.discontinuitySequence - discontinuity - (first.isDiscontinuity ? 1 : 0)
        growth.gap = RecordedGap(number: next, count: count, reason: lossReason)
        let duration = missedDuration(count, reader)
        for _ in 0..<count {
            guard room.map({ $0 > 0 }) ?? true else { break }
            var entry = reader.entry(first, isShifted: shift != 0)
            entry.uri = RecordedPlaylist.gapName
            (entry.duration, entry.durationText) = (duration, nil)
            (entry.isGap, entry.byteRange, entry.programDateTime) = (true, nil, nil)
            (entry.otherTags, entry.title) = ([], nil)
            entry.isDiscontinuity = hidden > 0
            hidden -= 1
            var identity = reader.listed[0]
            (identity.name, identity.address, identity.duration) = ("", "", duration)
            identity.date = known.last.flatMap { last in last.date.map { $0 + last.duration } }
            append(entry, identity, to: &growth)
        }
        add(reader, to: &growth)
    }

    /// The duration of each missed segment, by the dates around the gap, if these are plausible. No segment exceeds
    /// the target duration, which must not change (RFC 8216bis, section 6.2.1): if the dates are farther apart, the
    /// origin paused.
    private func missedDuration(_ count: Int, _ reader: SegmentReader) -> Double {
        let playlist = reader.playlist
        let longest = max(Double(playlist.targetDuration), playlist.segments.longestDuration)
        return min(datedDuration(count, reader.listed), longest)
    }

    private func datedDuration(_ count: Int, _ listed: [SegmentIdentity]) -> Double {
        let usual = listed.reduce(0) { $0 + $1.duration } / Double(listed.count)
        guard let last = known.last, let end = last.date.map({ $0 + last.duration }),
            let date = listed[0].date
        else { return usual }
        let each = (date - end) / Double(count)
        return (usual / 4...usual * 4).contains(each) ? each : usual
    }

    /// The tags of date ranges that are new or have new attributes. Several tags of the origin are merged into one;
    /// if its line would be too long to be read again, it is left out.
    private mutating func newDateRanges(in playlist: MediaPlaylist) -> [String] {
        var tags: [String] = []
        for list in playlist.mergedDateRanges {
            guard let id = list["ID"] else { continue }
            var merged = dateRanges[id] ?? AttributeMerger()
            guard merged.add(list) else { continue }
            let tag = "#EXT-X-DATERANGE:\(merged.list.verbatim)"
            guard tag.utf8.count <= ParseLimits().lineLength else { continue }
            tags.append(tag)
            dateRanges[id] = merged
        }
        return tags
    }
}
