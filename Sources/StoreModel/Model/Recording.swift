internal import HLSPlaylist

/// The recording of a live stream.
public struct Recording: Sendable, Equatable {
    /// Seconds of media after which it ends; `nil` for no limit.
    package var duration: Double?
    /// The time of its end; `nil` while it may still go on.
    package var endedAt: Timestamp?
    /// The reason for its end; `nil` while it goes on.
    public var end: RecordingEnd?
    /// The gaps, in the order in which they were found.
    public var gaps: [RecordingGap] = []
    /// The license terms for keys that appear later in the stream.
    package var terms = LicenseTerms()

    package init(
        duration: Double? = nil, endedAt: Timestamp? = nil, end: RecordingEnd? = nil,
        gaps: [RecordingGap] = [], terms: LicenseTerms = LicenseTerms()
    ) {
        self.duration = duration
        self.endedAt = endedAt
        self.end = end
        self.gaps = gaps
        self.terms = terms
    }

    /// Whether segments may still be added.
    public var isOpen: Bool { endedAt == nil }
}

/// A missing stretch of a recording, or a seam in it.
public struct RecordingGap: Sendable, Equatable {
    /// The rendition's name.
    public var rendition: String
    /// The media sequence number of the first missing segment, or of the one after the seam.
    public var number: Int
    /// How many segments are missing.
    public var count: Int
    /// Seconds from the beginning of the presentation.
    package var start: Double
    /// Seconds.
    package var duration: Double
    /// The reason: `window`, `interrupted`, `restarted` or `lost`.
    public var reason: String
    /// The time at which it was found.
    package var at: Timestamp

    package init(
        rendition: String, number: Int, count: Int, start: Double, duration: Double, reason: String,
        at: Timestamp
    ) {
        self.rendition = rendition
        self.number = number
        self.count = count
        self.start = start
        self.duration = duration
        self.reason = reason
        self.at = at
    }
}

/// The additions of one load of a playlist to the catalog, in one transaction.
package struct RecordedGrowth: Sendable {
    package var token: AssetToken
    package var rendition: RenditionRecord
    package var body: [UInt8]
    package var units: [UnitRecord]
    package var state: PlannedRecording.State
    /// The new keys; some may have been entered with another rendition since.
    package var keys: [KeyRecord]
    package var gap: RecordingGap?
    /// Seconds.
    package var duration: Double

    package init(
        token: AssetToken, rendition: RenditionRecord, body: [UInt8], units: [UnitRecord],
        state: PlannedRecording.State, keys: [KeyRecord], gap: RecordingGap? = nil, duration: Double
    ) {
        self.token = token
        self.rendition = rendition
        self.body = body
        self.units = units
        self.state = state
        self.keys = keys
        self.gap = gap
        self.duration = duration
    }
}

/// The recording of a stream, as it goes into the catalog.
package struct PlannedRecording: Sendable {
    /// The state of a rendition after the planned additions.
    package struct State: Sendable {
        package var shift: Int
        package var discontinuity: Int

        package init(shift: Int, discontinuity: Int) {
            self.shift = shift
            self.discontinuity = discontinuity
        }
    }

    package var wish: Selection.Recording
    /// By the names of renditions.
    package var states: [String: State]
    /// For keys that come later.
    package var terms = LicenseTerms()

    package init(wish: Selection.Recording, states: [String: State], terms: LicenseTerms = LicenseTerms()) {
        self.wish = wish
        self.states = states
        self.terms = terms
    }
}

/// A hole in a recording, or a seam.
package struct RecordedGap: Sendable, Equatable {
    /// The number of the first missing segment, or of the one after the seam.
    package var number: Int
    /// How many are missing.
    package var count: Int
    package var reason: GapReason

    package init(number: Int, count: Int, reason: GapReason) {
        self.number = number
        self.count = count
        self.reason = reason
    }
}

/// Why segments are missing in a recording.
package enum GapReason: String, Sendable {
    /// The segments appeared in the playlist and left it between two loads.
    case window
    /// The segments appeared in the playlist and left it while the recording was interrupted.
    case interrupted
    /// The origin restarted its media sequence numbers; the number of missing segments is unknown.
    case restarted
    /// The playlist listed them, but the origin did not have them.
    case lost
}

/// Why a recording has ended.
public enum RecordingEnd: String, Sendable, CaseIterable {
    /// The stream has ended (EXT-X-ENDLIST).
    case ended
    /// The requested duration is recorded.
    case duration
    /// The playlist has reached its largest length.
    case limit
    /// A user stopped it.
    case stopped
    /// No new segments came for too long.
    case stalled
    /// The origin does not have the stream any more.
    case gone
}
