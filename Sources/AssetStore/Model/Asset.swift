/// One downloaded stream, as others see it. Nothing in it is secret.
public struct Asset: Sendable {
    /// Its permanent name.
    public var token: AssetToken
    /// Its name for people.
    public var name: String
    /// Where it came from, without user information and query.
    public var sourceURL: String
    /// Where its transfer stands.
    public var state: AssetState
    /// Why it stands there; `nil` when there is nothing to say.
    public var reason: String?
    /// Until when its origin has asked to be left alone (Retry-After), if it waits for that.
    public var waitsUntil: Timestamp?
    /// Higher goes first.
    public var priority: Int
    /// Whether nothing evicts it.
    public var isPinned: Bool
    /// When a player last asked for a segment; known to some seconds.
    public var lastPlayedAt: Timestamp?
    /// Bytes a second for all its transfers; `nil` is no limit of its own.
    public var rateLimit: UInt64?
    /// When it may be downloaded; `nil` is when the engine may.
    public var schedule: Schedule?
    /// Whether it may be downloaded while the connection costs by volume.
    public var isMeteredOK = false
    /// Seconds.
    public var duration: Double
    /// Whether it plays with no network.
    public var availability: Availability
    /// When it was asked for.
    public var requestedAt: Timestamp
    /// When its first transfer began.
    public var startedAt: Timestamp?
    /// When it was complete, cancelled or failed.
    public var finishedAt: Timestamp?
    /// What it consists of, in the order of its multivariant playlist.
    public var renditions: [AssetRendition]
    /// On what terms it may be played, and whether it may now.
    public var license: LicenseStatus
    /// The file name of its poster in its folder.
    public var poster: String?
    /// Its folder, as seen from the store's.
    public var storePath: String
    /// The user's own data.
    public var meta: [String: String]
    /// Why it failed.
    public var failure: AssetFailure?
    /// Its recording, when it is one of a live stream.
    public var recording: Recording?
}

/// A rendition of an asset, as others see it.
public struct AssetRendition: Sendable {
    /// Its name in the asset: its folder and part of its URLs.
    public var name: String
    /// What it is.
    public var kind: RenditionKind
    /// LANGUAGE, as the stream had it (BCP 47).
    public var language: String?
    /// NAME.
    public var title: String?
    /// BANDWIDTH, in bits per second; of a variant that no playlist tells it of, what it has on average once all of it
    /// is stored.
    public var bandwidth: Int?
    /// RESOLUTION, such as `1280x720`.
    public var resolution: String?
    /// CODECS.
    public var codecs: String?
    /// Whether it is to be shown to everybody: signs, and speech in a foreign language (FORCED).
    public var isForced: Bool
    /// Whether the asset is of no use without it.
    public var isRequired: Bool
    /// Whether it has a playlist of its own.
    public var hasPlaylist: Bool
    /// Seconds.
    public var duration: Double
    /// How many segments it has.
    public var segments: Int
    /// How many of them are stored.
    public var storedSegments: Int
    /// Bytes on disk.
    public var storedBytes: Int64
    /// Its size when complete, in bytes: exact when `isExact`, else by what is stored and its bit rate.
    public var expectedBytes: Int64?
    /// Whether `expectedBytes` is known and not estimated.
    public var isExact: Bool
    /// Whether all of it is stored.
    public var isComplete: Bool
    /// Why it was given up.
    public var failure: String?
    /// What a second of it counts in the asset's progress: the bits per second that its playlist told, else the usual of
    /// its kind; never what was measured, which comes late.
    let weight: Double

    init(_ row: RenditionRecord) {
        name = row.name
        kind = row.kind
        language = row.language
        title = row.title
        bandwidth = row.bandwidth ?? Self.measuredBandwidth(row)
        resolution = row.resolution
        codecs = row.codecs
        isForced = row.isForced
        isRequired = row.required
        hasPlaylist = row.hasPlaylist
        duration = row.duration
        segments = row.segments
        storedSegments = row.storedSegments
        storedBytes = row.storedBytes
        isComplete = row.isComplete
        isExact = row.isComplete || row.expectedBytes != nil
        expectedBytes =
            row.isComplete
            ? row.storedBytes : row.expectedBytes.map { Swift.min($0, .largestSize) } ?? Self.estimate(row)
        failure = row.failure
        weight = Double(max(row.bandwidth ?? row.kind.usualBandwidth, 1))
    }

    private static func measuredBandwidth(_ row: RenditionRecord) -> Int? {
        guard row.kind == .variant, row.isComplete, row.storedBytes > 0, row.duration > 0 else { return nil }
        return Int(Int64(bytes: Double(row.storedBytes) * 8 / row.duration))
    }

    /// From what is stored, once that says something, else from the bit rate.
    private static func estimate(_ row: RenditionRecord) -> Int64? {
        if row.storedSegments > 0 {
            return Int64(bytes: Double(row.storedBytes) / Double(row.storedSegments) * Double(row.segments))
        }
        let bandwidth = row.bandwidth ?? (row.kind == .variant ? row.kind.usualBandwidth : nil)
        return bandwidth.map { Int64(bytes: Double($0) / 8 * row.duration) }
    }
}

extension Asset {
    /// Whether it needs content keys.
    public var isEncrypted: Bool { license.state != .none }

    /// Bytes on disk.
    public var storedBytes: Int64 { renditions.storedBytes }

    /// Bytes when complete; `nil` while a rendition's size can't even be estimated.
    public var expectedBytes: Int64? { renditions.expectedBytes }

    /// Whether `expectedBytes` is exact.
    public var isSizeExact: Bool {
        renditions.allSatisfy { !$0.hasPlaylist || $0.failure != nil || $0.isExact }
    }

    /// How much is stored, from 0 to 1: by duration and bit rate, so that it never goes back as sizes become
    /// known.
    public var progress: Double { renditions.progress }
}

extension [AssetRendition] {
    var storedBytes: Int64 { reduce(0) { $0 + $1.storedBytes } }

    var expectedBytes: Int64? {
        let sizes = filter { $0.hasPlaylist && $0.failure == nil }.compactMap(\.expectedBytes)
        return sizes.isEmpty ? nil : sizes.reduce(0, +)
    }

    var progress: Double {
        var (done, all) = (0.0, 0.0)
        for rendition in self
        where rendition.hasPlaylist && rendition.failure == nil && rendition.segments > 0 {
            let weight = rendition.weight * Swift.max(rendition.duration, 0.001)
            all += weight
            done += weight * Double(rendition.storedSegments) / Double(rendition.segments)
        }
        return all > 0 ? Swift.min(1, done / all) : 0
    }
}
