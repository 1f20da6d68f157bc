package import HLSPlaylist

/// The media playlist of an unfinished recording. Pure.
package struct GrowingPlaylist {
    package let served: ServedMediaPlaylist
    package let view: LiveView

    package init(served: ServedMediaPlaylist, view: LiveView) {
        self.served = served
        self.view = view
    }
    /// The distance of the live start from the end of the playlist, in target durations.
    static let holdBack = 3.0

    /// The playlist: EVENT from the first second, or a window that moves along.
    package var bytes: [UInt8] {
        let source = served.source
        let first = view.firstIndex(
            of: source.segments.lazy.map(\.duration), target: source.sufficientTargetDuration)
        var writer = MediaPlaylistWriter(header: source)
        // Segments that a window hides count, too: the target duration must not change (RFC 8216bis, section 6.2.1).
        writer.targetDuration = source.sufficientTargetDuration
        writer.playlistType = view.window == nil ? .event : nil
        (writer.hasEndList, writer.start) = (false, start(from: first))
        let sections = served.sections
        if source.segments.indices.contains(first) {
            let segment = source.segments[first]
            writer.mediaSequence = segment.mediaSequence
            writer.discontinuitySequence =
                segment.discontinuitySequence - (segment.isDiscontinuity ? 1 : 0)
            for tag in served.dateRanges(of: source.segments[..<first]) { writer.append(tag: tag) }
        }
        for (place, segment) in source.segments[min(first, source.segments.endIndex)...].enumerated() {
            var entry = served.entry(segment, sections)
            if place == 0, first > 0 { entry.programDateTime = date(of: first) }
            writer.append(entry)
        }
        for tag in source.trailingTags.compactMap(served.interstitials.local) { writer.append(tag: tag) }
        return writer.bytes
    }

    /// The date of the first segment of a window. Date ranges need one (RFC 8216bis, section 4.4.5.1), and those of the
    /// segments before it are hidden with them.
    private func date(of first: Int) -> String? {
        let segments = served.source.segments
        if let date = segments[first].programDateTime { return date }
        let hidden = segments[..<first].reduce(0) { $0 + $1.duration }
        return DateRangeIndex(served.source).date(at: hidden)?.rfc3339
    }

    private func start(from first: Int) -> StartPoint? {
        if case .live? = view.start {
            return StartPoint(timeOffset: -Self.holdBack * Double(served.source.sufficientTargetDuration))
        }
        let hidden = served.source.segments[..<first].reduce(0) { $0 + $1.duration }
        return view.start?.place(in: served.source).map { place in
            StartPoint(timeOffset: place < 0 ? place : max(0, place - hidden))
        }
    }
}

extension LiveView {
    /// The least duration of a window, in target durations (RFC 8216bis, section 6.2.2).
    static let leastWindow = 3.0

    /// The index of the first visible segment among segments with these durations.
    ///
    /// - Parameter target: the target duration, in seconds.
    package func firstIndex<Durations: RandomAccessCollection>(of durations: Durations, target: Int) -> Int
    where Durations.Element == Double, Durations.Index == Int {
        guard let window else { return 0 }
        let wanted = max(window, Self.leastWindow * Double(target))
        var index = durations.endIndex
        var seconds = 0.0
        while index > 0, seconds < wanted {
            index -= 1
            seconds += durations[index]
        }
        return index
    }
}

extension LiveView.Start {
    /// Seconds from the beginning of a presentation, or from its end when negative; `nil` if the player chooses the
    /// start.
    package func place(in playlist: MediaPlaylist) -> Double? {
        switch self {
        case .live: return nil
        case .seconds(let seconds): return seconds
        case .date(let date, _): return DateRangeIndex(playlist).place(date).map { max(0, $0) }
        }
    }
}
