/// The place of a segment of a WebVTT playlist on the presentation's timeline.
public struct SegmentPlace: Sendable, Hashable {
    /// The start in seconds: the sum of the durations before it.
    public var start: Double
    /// Its duration in seconds (`EXTINF`).
    public var duration: Double
    /// The number of discontinuities before it, or its discontinuity sequence number.
    public var discontinuity: Int

    /// A place.
    public init(start: Double, duration: Double, discontinuity: Int = 0) {
        self.start = start
        self.duration = duration
        self.discontinuity = discontinuity
    }
}

/// The clock of the media of one discontinuity.
public struct MediaClock: Sendable, Hashable {
    /// The start of the discontinuity on the presentation's timeline, in seconds. `nil`: the start of its first
    /// segment of subtitles.
    public var start: Double?
    /// The first presentation timestamp of its audio and video, in 90 kHz ticks. If it is unknown (`nil`), the first
    /// segment of subtitles is assumed to start with the media.
    public var firstTicks: Int?

    /// A clock.
    public init(start: Double? = nil, firstTicks: Int? = nil) {
        self.start = start
        self.firstTicks = firstTicks
    }
}

/// The meaning of cue times in a segment without `X-TIMESTAMP-MAP`.
public enum UnmappedTimes: Sendable, Hashable {
    /// Times of the media clock: 0 is 0 ticks (RFC 8216bis §3.1.4).
    case mediaClock
    /// Times of the presentation, as many authors mean them.
    case presentation
}
