/// The state of an asset's transfer. It does not tell whether the asset plays: see ``Asset/availability`` and
/// ``Asset/license``. `AssetAction` has the table of transitions.
public enum AssetState: String, Sendable, CaseIterable {
    /// Its playlists are being read; its renditions are not known yet.
    case resolving
    /// It waits for a slot, for the network, or for another condition.
    case queued
    /// Transfers are running.
    case downloading
    /// The user has stopped it. Stored media are kept.
    case paused
    /// Everything that was planned is stored.
    case complete
    /// The user has cancelled it; stored media are kept for a later resume.
    case cancelled
    /// Stopped by an error, which the asset carries.
    case failed
    /// Its files are being deleted.
    case removing

    /// Whether the transfer has ended until a user acts.
    public var isTerminal: Bool {
        switch self {
        case .complete, .cancelled, .failed: true
        case .resolving, .queued, .downloading, .paused, .removing: false
        }
    }
}

/// The kinds of playlists that renditions of an asset have.
public enum RenditionKind: String, Sendable, CaseIterable {
    /// A variant stream (EXT-X-STREAM-INF), or the only media playlist of a stream without a multivariant one.
    case variant
    /// An audio rendition (EXT-X-MEDIA, TYPE=AUDIO).
    case audio
    /// An alternative video rendition (EXT-X-MEDIA, TYPE=VIDEO).
    case video
    /// A subtitle rendition (EXT-X-MEDIA, TYPE=SUBTITLES).
    case subtitles
    /// Closed captions carried in a variant (EXT-X-MEDIA, TYPE=CLOSED-CAPTIONS).
    case closedCaptions = "closed-captions"
    /// An I-frame playlist (EXT-X-I-FRAME-STREAM-INF).
    case iframe
    /// A playlist of pictures (EXT-X-IMAGE-STREAM-INF).
    case images
}

extension RenditionKind {
    /// The assumed bit rate of a rendition without any, in bits per second. It is never shown.
    package var usualBandwidth: Int {
        switch self {
        case .audio: 128_000
        case .subtitles, .closedCaptions: 500
        case .variant, .video: 2_000_000
        case .iframe: 100_000
        case .images: 30_000
        }
    }
}

/// A stretch of the presentation, in seconds from its beginning.
public struct TimeRange: Hashable, Sendable {
    /// Seconds from the beginning of the presentation.
    public var start: Double
    /// Seconds.
    public var duration: Double
    /// The first second after the range.
    public var end: Double { start + duration }

    /// A range of `duration` seconds from `start`.
    public init(start: Double, duration: Double) {
        self.start = start
        self.duration = duration
    }
}
