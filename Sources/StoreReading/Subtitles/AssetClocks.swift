internal import HLSPlaylist
internal import SidebandSubtitles

/// The media clock at the beginning of a discontinuity.
enum FirstTimestamp: Sendable, Hashable {
    /// Ticks of 90 kHz.
    case known(Int)
    /// Media are stored, but their clock can't be read.
    case unreadable
    /// No media are stored yet, or none with an initialization section.
    case notStored

    /// The ticks, if they are known.
    var ticks: Int? {
        if case .known(let ticks) = self { ticks } else { nil }
    }
}

/// Finds the clock of each discontinuity of an asset in the stored media of its main rendition.
struct AssetClocks {
    let timeline: PresentationTimeline
    let media: ClearSegments
    /// The numbers of the segments that are stored.
    let stored: Set<Int>
    /// The numbers of the initialization sections that are still to come.
    var missingSections: Set<Int> = []

    /// How many segments of a discontinuity are looked at before it counts as unreadable.
    private static let tries = 3

    /// The first timestamp of each discontinuity.
    func firstTimestamps() throws(StoreError) -> [Int: FirstTimestamp] {
        var found: [Int: FirstTimestamp] = [:]
        var tries: [Int: Int] = [:]
        var awaited: Set<Int> = []
        for (segment, place) in zip(media.playlist.segments, timeline.segments) {
            let discontinuity = place.discontinuity
            found[discontinuity] = found[discontinuity] ?? .notStored
            guard stored.contains(segment.mediaSequence), found[discontinuity]?.ticks == nil,
                tries[discontinuity, default: 0] < Self.tries
            else { continue }
            tries[discontinuity, default: 0] += 1
            found[discontinuity] = try timestamp(of: segment, place).map { .known($0) } ?? .unreadable
            if isAwaited(segment) { awaited.insert(discontinuity) }
        }
        // The section may have the clock that its segments alone did not show.
        for discontinuity in awaited where found[discontinuity] == .unreadable {
            found[discontinuity] = .notStored
        }
        return found
    }

    /// Whether the initialization section of a segment has not arrived yet.
    private func isAwaited(_ segment: MediaSegment) -> Bool {
        segment.initializationSection.map { missingSections.contains($0) } ?? false
    }

    /// The clock at the beginning of the discontinuity, worked out from one of its segments.
    private func timestamp(
        of segment: MediaSegment, _ place: PresentationTimeline.Segment
    ) throws(StoreError) -> Int? {
        guard let bytes = try media.segment(segment, first: MediaTimestamps.probeLength) else { return nil }
        let section = try segment.initializationSection.flatMap { number throws(StoreError) in
            try media.initialization(number)
        }
        guard let first = MediaTimestamps(of: bytes, initialization: section).first else { return nil }
        let passed = place.start - (timeline.starts[place.discontinuity] ?? 0)
        return MediaTicks.wrapped(first - MediaTicks.ticks(passed))
    }
}
