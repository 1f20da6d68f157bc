internal import HLSPlaylist
internal import SidebandSubtitles

/// The presentation times of the segments of an asset's main rendition, by which subtitles are segmented. Pure.
struct PresentationTimeline: Sendable {
    /// A segment of the main rendition.
    struct Segment: Sendable {
        /// Seconds from the beginning of the presentation.
        var start: Double
        var duration: Double
        var durationText: String
        /// The discontinuity sequence number of the playlist.
        var discontinuity: Int
        var isDiscontinuity: Bool
        /// EXT-X-PROGRAM-DATE-TIME: when the media has dates, all that plays with it has (RFC 8216bis, section 6.2.4).
        var date: String?
    }

    let segments: [Segment]
    let targetDuration: Int
    /// EXT-X-DISCONTINUITY-SEQUENCE.
    let discontinuitySequence: Int
    /// The start of each discontinuity.
    let starts: [Int: Double]
    /// Whether it is a recording that goes on.
    let isGrowing: Bool

    init(_ playlist: MediaPlaylist, isGrowing: Bool = false) {
        self.isGrowing = isGrowing
        var (start, starts, segments) = (0.0, [Int: Double](), [Segment]())
        segments.reserveCapacity(playlist.segments.count)
        for segment in playlist.segments {
            let discontinuity = segment.discontinuitySequence
            if starts[discontinuity] == nil { starts[discontinuity] = start }
            segments.append(
                Segment(
                    start: start, duration: segment.duration, durationText: segment.durationText,
                    discontinuity: discontinuity, isDiscontinuity: segment.isDiscontinuity,
                    date: segment.programDateTime))
            start += segment.duration
        }
        (self.segments, self.starts) = (segments, starts)
        targetDuration = isGrowing ? playlist.sufficientTargetDuration : playlist.targetDuration
        discontinuitySequence = playlist.discontinuitySequence
    }

    /// The playlist of a subtitle track with one file for each of these segments: `0.vtt`, `1.vtt` and so on.
    ///
    /// Discontinuities have the numbers that they have in the media's playlist, by which players match the clocks.
    ///
    /// - Parameter view: the view of an unfinished recording, as in `GrowingPlaylist`.
    func subtitlePlaylist(_ view: LiveView = LiveView()) -> [UInt8] {
        let first =
            isGrowing ? view.firstIndex(of: segments.lazy.map(\.duration), target: targetDuration) : 0
        var writer = MediaPlaylistWriter()
        writer.targetDuration = targetDuration
        writer.discontinuitySequence = discontinuitySequence
        writer.playlistType = !isGrowing ? .vod : view.window == nil ? .event : nil
        writer.hasEndList = !isGrowing
        if segments.indices.contains(first) {
            let segment = segments[first]
            writer.mediaSequence = first
            writer.discontinuitySequence = segment.discontinuity - (segment.isDiscontinuity ? 1 : 0)
        }
        for number in first..<segments.count {
            var entry = entry(number)
            if number == first, first > 0 { entry.programDateTime = date(of: first) }
            writer.append(entry)
        }
        return writer.bytes
    }

    /// The date of a segment, by the last one before it that has one, as `DateRangeIndex` tells it of the media.
    private func date(of number: Int) -> String? {
        if let date = segments[number].date { return date }
        func seconds(_ segment: Segment) -> Double? { segment.date.flatMap(DateTime.seconds(parsing:)) }
        let dated = segments[..<number].last { seconds($0) != nil } ?? segments.first { seconds($0) != nil }
        guard let dated, let date = seconds(dated) else { return nil }
        return Timestamp(sinceEpoch: date + segments[number].start - dated.start)?.rfc3339
    }

    /// The subtitle playlist that goes with a media playlist of stored segments only: it has the same stretches.
    ///
    /// - Parameters:
    ///   - places: the segments in the media's playlist.
    ///   - missing: the stretches without subtitles yet, in seconds and in order.
    func subtitlePlaylist(
        of places: [StoredPresentation.Place], missing: [ClosedRange<Double>]
    ) -> [UInt8] {
        let places = places.filter { segments.indices.contains($0.index) }
        var writer = MediaPlaylistWriter()
        writer.targetDuration = targetDuration
        writer.playlistType = .vod
        writer.hasEndList = true
        guard let first = places.first else { return writer.bytes }
        writer.mediaSequence = first.index
        writer.discontinuitySequence = segments[first.index].discontinuity + first.stretch
        var before = first
        var missing = missing[...]
        for place in places {
            let segment = segments[place.index]
            missing = missing.drop { $0.upperBound <= segment.start }
            var entry = entry(place.index)
            entry.isDiscontinuity =
                place.stretch != before.stretch || (entry.isDiscontinuity && place.index != first.index)
            entry.isGap = missing.first.map { $0.lowerBound < segment.start + segment.duration } ?? false
            entry.programDateTime = place.date
            before = place
            writer.append(entry)
        }
        return writer.bytes
    }

    private func entry(_ number: Int) -> SegmentEntry {
        let segment = segments[number]
        var entry = SegmentEntry(
            uri: UnitFile.segment(number, .vtt), duration: segment.duration,
            durationText: segment.durationText)
        entry.isDiscontinuity = segment.isDiscontinuity
        entry.programDateTime = segment.date
        return entry
    }

    /// The map of a segment's cue times, which are times of the presentation, to the media's clock.
    ///
    /// - Parameter firstTicks: the clock at the beginning of the segment's discontinuity.
    func map(of number: Int, firstTicks: Int) -> TimestampMap {
        let start = starts[segments[number].discontinuity] ?? 0
        let local = CueTime(milliseconds: Int((start * 1000).rounded(.down)))
        let ticks = firstTicks - MediaTicks.ticks(start - local.seconds)
        return TimestampMap(local: local, mpegTicks: MediaTicks.wrapped(ticks))
    }
}
