internal import HLSPlaylist
internal import Locking
public import SidebandSubtitles

/// A subtitle track of an asset, made whole.
public struct AssetSubtitles: Sendable {
    /// The rendition of the track.
    public let rendition: SubtitleRendition
    /// Its stored cues at the times of the presentation.
    public let track: SubtitleTrack
    /// The identity of the units that it was made of: another revision means other cues.
    public let revision: String
    /// Whether all its units are stored.
    public let isComplete: Bool
    /// Whether files of it were truncated or changed: a repair does not change the revision.
    public let isDamaged: Bool
    /// The problems of its segments.
    public let problems: [SegmentProblem]
    /// The size of the picture it is shown on.
    public let picture: PictureSize
    let timeline: PresentationTimeline?
    /// The track cut along the timeline.
    let segmented: SegmentedTrack?
    let clocks: [Int: FirstTimestamp]
    /// The parts of the presentation that can't be told yet, in seconds.
    let missing: [ClosedRange<Double>]
}

/// Tracks that were made lately: making one reads all of its segments.
final class SubtitleCache: Sendable {
    private struct State {
        var tracks: [String: AssetSubtitles] = [:]
        /// The keys of the cache, the one that was unused for longest first.
        var order: [String] = []
    }

    private let state = Lock(State())
    /// Tracks and cues that are kept at most.
    private static let largest = (tracks: 24, cues: 400_000)

    /// The track under a name, if it is of a revision.
    func find(_ key: String, revision: String) -> AssetSubtitles? {
        state.withLock { state in
            guard let found = state.tracks[key], found.revision == revision else { return nil }
            state.order.removeAll { $0 == key }
            state.order.append(key)
            return found
        }
    }

    func store(_ subtitles: AssetSubtitles, under key: String) {
        state.withLock { state in
            state.order.removeAll { $0 == key }
            state.order.append(key)
            state.tracks[key] = subtitles
            var cues = state.tracks.values.reduce(0) { $0 + $1.track.cues.count }
            while state.order.count > 1, state.order.count > Self.largest.tracks || cues > Self.largest.cues {
                cues -= state.tracks.removeValue(forKey: state.order.removeFirst())?.track.cues.count ?? 0
            }
        }
    }
}
