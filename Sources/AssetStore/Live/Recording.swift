/// The recording of a stream that had no end yet, as others see it.
public struct Recording: Sendable, Equatable {
    /// Seconds of media after which it ends; `nil` goes on to the stream's end.
    public var duration: Double?
    /// When it ended; `nil` while it may still go on.
    public var endedAt: Timestamp?
    /// Why it ended.
    public var end: RecordingEnd?
    /// What is missing, in the order in which it was found out.
    public var gaps: [RecordingGap] = []
    /// On what terms keys that come later may be used.
    var terms = LicenseTerms()

    /// Whether segments may still be added.
    public var isOpen: Bool { endedAt == nil }
}

/// A stretch of a recording that is missing, or a seam in it.
public struct RecordingGap: Sendable, Equatable {
    /// The rendition's name.
    public var rendition: String
    /// The media sequence number of the first segment that is missing, or of the one after the seam.
    public var number: Int
    /// How many segments are missing.
    public var count: Int
    /// Seconds from the beginning of the presentation.
    public var start: Double
    /// Seconds.
    public var duration: Double
    /// Why: `window`, `interrupted`, `restarted` or `lost`.
    public var reason: String
    /// When it was found out.
    public var at: Timestamp
}

/// What one load of a playlist adds to the catalog, in one transaction.
struct RecordedGrowth: Sendable {
    var token: AssetToken
    var rendition: RenditionRecord
    var body: [UInt8]
    var units: [UnitRecord]
    var state: PlannedRecording.State
    /// The new keys, of which some may have been entered with another rendition meanwhile.
    var keys: [KeyRecord]
    var gap: RecordingGap?
    /// Seconds.
    var duration: Double
}
