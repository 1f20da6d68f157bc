/// An asset: one stream in the store, at one moment. It is a copy: read it again to see changes. It holds no secret.
///
/// ```swift
/// let asset = try await store.asset(id)
/// if asset.isPlayableOffline {
///     print("\(asset.name) plays without a network")
/// } else {
///     for problem in asset.problems { print(problem.kind, problem.rendition ?? "") }
/// }
/// ```
public struct Asset: Sendable {
    /// Its permanent name.
    public var token: AssetToken
    /// Its display name.
    public var name: String
    /// The stream's address, without user information and query.
    package var sourceURL: String
    /// The state of its transfer.
    public var state: AssetState
    /// The reason for the state, such as `network` of a queued download; `nil` without one.
    public var reason: String?
    /// The end of its origin's cooldown (Retry-After), if the asset waits for that.
    package var waitsUntil: Timestamp?
    /// Its priority in the queue: the highest goes first.
    public var priority: Int
    /// Whether it is protected from eviction.
    public var isPinned: Bool
    /// The time at which a player last asked for a segment; exact to some seconds.
    package var lastPlayedAt: Timestamp?
    /// Bytes a second for all its transfers; `nil` is no limit of its own.
    public var rateLimit: UInt64?
    /// The times of day at which it may be downloaded; `nil` uses the engine's schedule.
    public var schedule: Schedule?
    /// Whether it may be downloaded on a metered connection.
    public var isMeteredOK = false
    /// Seconds.
    package var duration: Double
    /// Whether it plays without a network.
    public var availability: Availability
    /// Its problems, and their sum.
    public var health: Health
    /// The time of the request.
    package var requestedAt: Timestamp
    /// The time at which its first transfer began.
    package var startedAt: Timestamp?
    /// The time at which it was complete, cancelled or failed.
    package var finishedAt: Timestamp?
    /// The renditions it consists of, in the order of its multivariant playlist.
    public var renditions: [AssetRendition]
    /// The terms on which it may be played, and whether it may be played now.
    public var license: LicenseStatus
    /// The file name of its poster in its folder.
    public var poster: String?
    /// Its folder, relative to the store's.
    public var storePath: String
    /// The user's own data.
    public var meta: [String: String]
    /// Why it failed.
    public var failure: AssetFailure?
    /// Its recording, if it is a recording of a live stream.
    public var recording: Recording?
    /// The addresses that redirects led to from its source when that was read, without user information and queries.
    public var redirects: [String] = []
    /// The renditions whose playlists could not be read, and which the asset therefore lacks.
    public var lost: [LostStream] = []
    /// The time at which it came into its state.
    package var stateSince = Timestamp(milliseconds: 0)
    /// The limit that keeps it waiting in the queue, when it waits for room on the disk.
    public var room: RoomShortage?

    /// The `reason` of a queued asset while no engine works on the store.
    public static let reasonOfNoEngine = "engine"
    /// The parts of the request that it lacks.
    public var leftOut: [LeftOut] = []
    /// The app's own name for the request (`DownloadRequest.identifier`).
    public var clientID: String?
    /// The user's tags.
    public var tags: [String] = []
    /// How far it was watched.
    public var position = PlaybackPosition()
    /// The bucket with the media that the store's folder does not have, such as `s3://films/store`; `nil` if all are
    /// in the folder.
    public var mediaPlace: String?

    package init(
        token: AssetToken, name: String, sourceURL: String, state: AssetState, reason: String? = nil,
        waitsUntil: Timestamp? = nil, priority: Int, isPinned: Bool, lastPlayedAt: Timestamp? = nil,
        rateLimit: UInt64? = nil, schedule: Schedule? = nil, isMeteredOK: Bool = false, duration: Double,
        availability: Availability, health: Health, requestedAt: Timestamp, startedAt: Timestamp? = nil,
        finishedAt: Timestamp? = nil, renditions: [AssetRendition], license: LicenseStatus,
        poster: String? = nil, storePath: String, meta: [String: String], failure: AssetFailure? = nil,
        recording: Recording? = nil, redirects: [String] = [], lost: [LostStream] = [],
        stateSince: Timestamp = Timestamp(milliseconds: 0), room: RoomShortage? = nil,
        leftOut: [LeftOut] = [], clientID: String? = nil
    ) {
        (self.token, self.name, self.sourceURL, self.state) = (token, name, sourceURL, state)
        (self.reason, self.waitsUntil, self.priority) = (reason, waitsUntil, priority)
        (self.isPinned, self.lastPlayedAt, self.rateLimit) = (isPinned, lastPlayedAt, rateLimit)
        (self.schedule, self.isMeteredOK, self.duration) = (schedule, isMeteredOK, duration)
        (self.availability, self.health, self.requestedAt) = (availability, health, requestedAt)
        (self.startedAt, self.finishedAt, self.renditions) = (startedAt, finishedAt, renditions)
        (self.license, self.poster, self.storePath, self.meta) = (license, poster, storePath, meta)
        (self.failure, self.recording, self.redirects) = (failure, recording, redirects)
        (self.lost, self.stateSince, self.room, self.leftOut) = (lost, stateSince, room, leftOut)
        self.clientID = clientID
    }
}

/// A rendition of an asset: a variant, or an alternative rendition.
public struct AssetRendition: Sendable {
    /// Its name in the asset: its folder and part of its URLs.
    public var name: String
    /// The kind of playlist.
    public var kind: RenditionKind
    /// LANGUAGE, as the stream had it (BCP 47).
    public var language: String?
    /// NAME.
    public var title: String?
    /// BANDWIDTH, in bits per second. For a variant without this attribute, it is the average bit rate, once all of it
    /// is stored.
    public var bandwidth: Int?
    /// RESOLUTION, such as `1280x720`.
    public var resolution: String?
    /// CODECS.
    public var codecs: String?
    /// CHANNELS, such as `6` or `16/JOC`.
    public var channels: String?
    /// GROUP-ID; of a variant, its group of audio.
    package var group: String?
    /// Whether players show it even with subtitles off (FORCED): signs, and speech in a foreign language.
    public var isForced: Bool
    /// Whether the asset can't play without it.
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
    /// Its size when complete, in bytes. It is exact when `isExact`. If not, it is an estimate from the stored
    /// segments, from sample segments, or from the bit rate; `nil` when nothing is known.
    public var expectedBytes: Int64?
    /// Whether `expectedBytes` is exact, not an estimate.
    public var isExact: Bool
    /// Whether it is completely stored.
    public var isComplete: Bool
    /// The reason why it was given up; `nil` when it was not.
    public var failure: String?
    /// The wrapping that was taken off its segments before they were stored, such as `PNG` or `gzip`.
    public var disguise: String?
    /// The weight of a second of it in the asset's progress: the bits per second that its playlist told, else the
    /// usual of its kind; never a measured rate, which comes late.
    package let weight: Double
    /// The numbers of all initialization sections and of the stored ones: segments do not play without their section.
    package let (initializations, storedInitializations): (Int, Int)

    package init(_ row: RenditionRecord) {
        name = row.name
        kind = row.kind
        language = row.language
        title = row.title
        bandwidth = row.bandwidth ?? Self.measuredBandwidth(row)
        resolution = row.resolution
        codecs = row.codecs
        (channels, group) = row.sound
        isForced = row.isForced
        isRequired = row.required
        hasPlaylist = row.hasPlaylist
        duration = row.duration
        segments = row.segments
        storedSegments = row.storedSegments
        (initializations, storedInitializations) = (row.initializations, row.storedInitializations)
        storedBytes = row.storedBytes
        isComplete = row.isComplete
        let size = ExpectedSize(row)
        isExact = size?.basis == .exact
        expectedBytes = size?.bytes
        failure = row.failure
        disguise = row.disguise
        weight = Double(max(row.bandwidth ?? row.kind.usualBandwidth, 1))
    }

    private static func measuredBandwidth(_ row: RenditionRecord) -> Int? {
        guard row.kind == .variant, row.isComplete, row.storedBytes > 0, row.duration > 0 else { return nil }
        return Int(Int64(bytes: Double(row.storedBytes) * 8 / row.duration))
    }
}

extension Asset: Identifiable {
    /// Its permanent name.
    public var id: AssetToken { token }

    /// Whether it plays from beginning to end without a network: media, playlists and keys are stored, and its
    /// license is valid.
    public var isPlayableOffline: Bool { availability.offline }

    /// Its problems, each with its advice; empty if it is sound.
    public var problems: [HealthProblem] { health.problems }
}

extension Asset {
    /// Whether it needs content keys.
    public var isEncrypted: Bool { license.state != .none }

    /// Whether a live stream is being recorded now: nobody knows yet how long it gets.
    package var isRecording: Bool {
        recording?.isOpen == true && [.resolving, .queued, .downloading].contains(state)
    }

    /// Bytes on disk.
    public var storedBytes: Int64 { renditions.storedBytes }

    /// Bytes when complete; `nil` while a rendition's size can't even be estimated.
    public var expectedBytes: Int64? { renditions.expectedBytes }

    /// Whether `expectedBytes` is exact.
    public var isSizeExact: Bool {
        renditions.allSatisfy { !$0.hasPlaylist || $0.failure != nil || $0.isExact }
    }

    /// The stored share, from 0 to 1. It is weighted by duration and bit rate, so that it never falls when sizes become
    /// known.
    public var progress: Double { renditions.progress }
}

extension [AssetRendition] {
    package var storedBytes: Int64 { reduce(0) { $0 + $1.storedBytes } }

    package var expectedBytes: Int64? {
        let wanted = filter { $0.hasPlaylist && $0.failure == nil }
        // The size of audio and subtitles alone would mislead.
        let isUnknown = wanted.contains {
            $0.expectedBytes == nil && ($0.kind == .variant || $0.kind == .video)
        }
        let sizes = wanted.compactMap(\.expectedBytes)
        return sizes.isEmpty || isUnknown ? nil : sizes.reduce(0, +)
    }

    package var progress: Double {
        var (done, all) = (0.0, 0.0)
        for rendition in self
        where rendition.hasPlaylist && rendition.failure == nil && rendition.segments > 0 {
            let weight = rendition.weight * Swift.max(rendition.duration, 0.001)
            all += weight
            let missing = Swift.max(0, rendition.initializations - rendition.storedInitializations)
            done += weight * Double(rendition.storedSegments) / Double(rendition.segments + missing)
        }
        return all > 0 ? Swift.min(1, done / all) : 0
    }
}
