internal import HLSPlaylist

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

/// The recording of a stream, as it goes into the catalog.
struct PlannedRecording: Sendable {
    /// Where a rendition stands after what is planned.
    struct State: Sendable {
        var shift: Int
        var discontinuity: Int
    }

    var wish: Selection.Recording
    /// By the names of renditions.
    var states: [String: State]
    /// For keys that come later.
    var terms = LicenseTerms()
}

/// A hole in a recording, or a seam.
struct RecordedGap: Sendable, Equatable {
    /// The number of the first segment that is missing, or of the one after the seam.
    var number: Int
    /// How many are missing.
    var count: Int
    var reason: GapReason
}

/// Why segments are missing in a recording.
enum GapReason: String, Sendable {
    /// They came and went between two loads of the playlist.
    case window
    /// They came and went while nobody recorded.
    case interrupted
    /// The origin began to count anew; nobody knows what was in between.
    case restarted
    /// The playlist had them, the origin had not.
    case lost
}

/// Why a recording has ended.
public enum RecordingEnd: String, Sendable, CaseIterable {
    /// The stream has ended (EXT-X-ENDLIST).
    case ended
    /// As much is recorded as was asked for.
    case duration
    /// As much is recorded as one playlist may list.
    case limit
    /// Somebody stopped it.
    case stopped
    /// Nothing new came any more.
    case stalled
    /// The origin has the stream no more.
    case gone
}
