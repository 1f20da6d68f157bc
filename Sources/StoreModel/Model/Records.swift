internal import FoundationEssentials
internal import HLSPlaylist

/// A row of `asset`.
package struct AssetRecord: Sendable {
    package var token: AssetToken
    package var name: String
    package var sourceURL: String
    package var state: AssetState
    package var reason: String?
    package var priority = 0
    /// Bytes a second for all its transfers; 0 is no limit, `nil` is the limit of the request.
    package var rateLimit: UInt64?
    /// The times of day at which it may be downloaded; `nil` uses the engine's schedule.
    package var schedule: Schedule?
    /// Whether it may be downloaded on a metered connection.
    package var isMeteredOK = false
    /// The digest of its address, for an asset that is to be entered.
    package var address: [UInt8]?
    package var selection = Selection()
    /// `OriginAccess` as the vault sealed it.
    package var access: [UInt8]?
    package var meta: [String: String] = [:]
    package var duration = 0.0
    /// The file name of the poster in the asset's folder.
    package var poster: String?
    package var requestedAt: Timestamp
    package var startedAt: Timestamp?
    package var finishedAt: Timestamp?
    package var error: AssetFailure?
    /// Whether it is protected from eviction.
    package var isPinned: Bool
    package var lastPlayedAt: Timestamp?
    /// The addresses that redirects have led to from its source.
    package var redirects: [String] = []
    /// The streams that could not be read.
    package var lost: [LostStream] = []
    /// The time of its last change of state or reason; `nil` in its first state.
    package var stateAt: Timestamp?
    /// The parts of the request that it lacks.
    package var leftOut: [LeftOut] = []
    /// The client's ID of the request.
    package var clientID: String?
    /// The digest of its request, for an asset that is to be entered: the same client ID with another request is
    /// refused.
    package var clientDigest: [UInt8]?
    /// The request as JSON without secrets, for an asset that is to be entered.
    package var asked: String?
    /// The user's tags.
    package var tags: [String] = []
    /// How far it was watched.
    package var position = PlaybackPosition()

    package init(
        token: AssetToken, name: String, sourceURL: String, state: AssetState, reason: String? = nil,
        priority: Int = 0, rateLimit: UInt64? = nil, schedule: Schedule? = nil,
        isMeteredOK: Bool = false, address: [UInt8]? = nil, selection: Selection = Selection(),
        access: [UInt8]? = nil, meta: [String: String] = [:], duration: Double = 0.0,
        poster: String? = nil, requestedAt: Timestamp, startedAt: Timestamp? = nil,
        finishedAt: Timestamp? = nil, error: AssetFailure? = nil, isPinned: Bool = false,
        lastPlayedAt: Timestamp? = nil, redirects: [String] = [], lost: [LostStream] = [],
        stateAt: Timestamp? = nil, leftOut: [LeftOut] = [], clientID: String? = nil,
        clientDigest: [UInt8]? = nil, asked: String? = nil
    ) {
        (self.token, self.name, self.sourceURL, self.state) = (token, name, sourceURL, state)
        (self.reason, self.priority, self.rateLimit) = (reason, priority, rateLimit)
        (self.schedule, self.isMeteredOK, self.address) = (schedule, isMeteredOK, address)
        (self.selection, self.access, self.meta, self.duration) = (selection, access, meta, duration)
        (self.poster, self.requestedAt, self.startedAt) = (poster, requestedAt, startedAt)
        (self.finishedAt, self.error, self.isPinned) = (finishedAt, error, isPinned)
        (self.lastPlayedAt, self.redirects, self.lost) = (lastPlayedAt, redirects, lost)
        (self.stateAt, self.leftOut, self.clientID) = (stateAt, leftOut, clientID)
        (self.clientDigest, self.asked) = (clientDigest, asked)
    }
}

/// A row of `rendition`.
package struct RenditionRecord: Sendable, Equatable {
    package var id: Int64 = 0
    package var name: String
    package var position: Int
    package var kind: RenditionKind
    package var required: Bool
    package var language: String?
    package var title: String?
    package var bandwidth: Int?
    package var resolution: String?
    package var codecs: String?
    /// The attribute list of each tag that lists it, verbatim.
    package var listings: [String]
    /// The media playlist's address after redirects; `nil` for a rendition carried in another one.
    package var hasPlaylist: Bool
    package var container: ContainerFormat
    package var duration: Double
    package var segments: Int
    package var storedSegments = 0
    package var initializations = 0
    package var storedInitializations = 0
    package var storedBytes: Int64 = 0
    package var expectedBytes: Int64?
    /// The size that samples of its segments make likely, as the origin told theirs; `nil` where it was not asked.
    package var likelyBytes: Int64?
    package var failure: String?
    /// The time of its folder when a file of it was last committed; `nil` before the first one.
    package var folderTime: FolderTime?
    /// The subtitle file in its folder from which its track was made; `nil` for renditions of the stream.
    package var sourceFile: String?
    /// The wrapping that was taken off its segments, such as `PNG`.
    package var disguise: String?

    package init(
        id: Int64 = 0, name: String, position: Int, kind: RenditionKind, required: Bool,
        language: String? = nil, title: String? = nil, bandwidth: Int? = nil, resolution: String? = nil,
        codecs: String? = nil, listings: [String], hasPlaylist: Bool, container: ContainerFormat,
        duration: Double, segments: Int, storedSegments: Int = 0, initializations: Int = 0,
        storedInitializations: Int = 0, storedBytes: Int64 = 0, expectedBytes: Int64? = nil,
        likelyBytes: Int64? = nil, failure: String? = nil, folderTime: FolderTime? = nil,
        sourceFile: String? = nil, disguise: String? = nil
    ) {
        (self.id, self.name, self.position, self.kind) = (id, name, position, kind)
        (self.required, self.language, self.title) = (required, language, title)
        (self.bandwidth, self.resolution, self.codecs) = (bandwidth, resolution, codecs)
        (self.listings, self.hasPlaylist, self.container) = (listings, hasPlaylist, container)
        (self.duration, self.segments, self.storedSegments) = (duration, segments, storedSegments)
        (self.initializations, self.storedInitializations) = (initializations, storedInitializations)
        (self.storedBytes, self.expectedBytes) = (storedBytes, expectedBytes)
        (self.likelyBytes, self.failure, self.folderTime) = (likelyBytes, failure, folderTime)
        (self.sourceFile, self.disguise) = (sourceFile, disguise)
    }

    package var isComplete: Bool {
        failure == nil && storedSegments == segments && storedInitializations == initializations
    }
}

/// The kinds of units of a rendition.
package enum UnitKind: Int, Sendable {
    case segment = 0
    case initialization = 1
}

/// The presence of a unit's bytes.
package enum UnitState: Int, Sendable {
    case missing = 0
    case stored = 1
    /// The origin marks it with EXT-X-GAP: there is nothing to fetch.
    case gap = 2
    /// The origin does not have it any more.
    case lost = 3
}

/// How a unit is encrypted as a whole, which hides its container.
package enum UnitEncryption: Int, Sendable {
    /// Not encrypted, or encrypted within its container.
    case none = 0
    /// In whole blocks of 16 bytes (METHOD=AES-128 and AES-256).
    case blocks = 1
    /// Encrypted in another way (METHOD=AES-256-GCM, or an unknown method), which permits any length.
    case other = 2
}

/// A row of `unit`: a media segment or an initialization section of a rendition.
package struct UnitRecord: Sendable {
    package var kind: UnitKind
    package var number: Int
    /// Seconds from the beginning of the presentation; below 0 when that begins within the unit.
    package var start: Double
    package var duration: Double
    package var url: String
    package var range: ClosedOffsetRange?
    package var encryption = UnitEncryption.none
    package var state = UnitState.missing
    package var size: UInt64?
    package var sha256: [UInt8]?
    /// The result of the last look at its bytes.
    package var finding: UnitFinding?
    /// Its object in the bucket of the store's media; `nil` if it is only in the store's folder.
    package var object: String?

    package init(
        kind: UnitKind, number: Int, start: Double, duration: Double, url: String,
        range: ClosedOffsetRange? = nil, encryption: UnitEncryption = UnitEncryption.none,
        state: UnitState = UnitState.missing, size: UInt64? = nil, sha256: [UInt8]? = nil,
        finding: UnitFinding? = nil, object: String? = nil
    ) {
        self.kind = kind
        self.number = number
        self.start = start
        self.duration = duration
        self.url = url
        self.range = range
        self.encryption = encryption
        self.state = state
        self.size = size
        self.sha256 = sha256
        self.finding = finding
        self.object = object
    }

    /// Whether its bytes are in a bucket; its file is then only a cache.
    package var isInBucket: Bool { state == .stored && object != nil }

    /// Whether it is encrypted as a whole.
    package var isEncrypted: Bool { encryption != .none }
}

/// A unit without its address.
package struct UnitOutline: Sendable {
    package var kind: UnitKind
    package var number: Int
    /// Seconds from the beginning of the presentation; below 0 when that begins within the unit.
    package var start: Double
    package var duration: Double
    package var state: UnitState
    package var size: UInt64?
    /// The result of the last look at its bytes.
    package var finding: UnitFinding?
    /// Whether its bytes are in a bucket; its file is then only a cache.
    package var isInBucket: Bool

    package init(
        kind: UnitKind, number: Int, start: Double, duration: Double, state: UnitState,
        size: UInt64? = nil, finding: UnitFinding? = nil, isInBucket: Bool = false
    ) {
        self.kind = kind
        self.number = number
        self.start = start
        self.duration = duration
        self.state = state
        self.size = size
        self.finding = finding
        self.isInBucket = isInBucket
    }
}

/// A byte range with its first byte and its length, as EXT-X-BYTERANGE names it.
package struct ClosedOffsetRange: Sendable, Hashable {
    package var offset: UInt64
    package var length: UInt64

    package init(offset: UInt64, length: UInt64) {
        self.offset = offset
        self.length = length
    }
}

/// A row of `content_key`.
package struct KeyRecord: Sendable, Equatable {
    package var id: String
    package var url: String
    package var sealed: [UInt8]?
    /// A digest of the key. After the key was wiped, it tells whether another key is the same one.
    package var digest: [UInt8]?
    /// KEYFORMAT of a key system, whose keys are opaque blobs; `nil` for a key that can be used.
    package var format: String?
    /// The key identifier (KID) in the media, for a key that the user added by KID. For a key that the user added by
    /// its name in the asset, it is that name.
    package var identifier: [UInt8]?
    /// The media type of deposited key data.
    package var contentType: String?
    /// KEYFORMAT in the playlist of a key from a provider.
    package var system: String?
    /// METHOD in the playlist that names it; `nil` if an earlier version entered it, or if no playlist names it.
    package var method: String?
    /// The time to ask the key provider again.
    package var renewAt: Timestamp?

    package init(
        id: String, url: String, sealed: [UInt8]? = nil, digest: [UInt8]? = nil, format: String? = nil,
        identifier: [UInt8]? = nil, contentType: String? = nil, system: String? = nil,
        method: String? = nil, renewAt: Timestamp? = nil
    ) {
        self.id = id
        self.url = url
        self.sealed = sealed
        self.digest = digest
        self.format = format
        self.identifier = identifier
        self.contentType = contentType
        self.system = system
        self.method = method
        self.renewAt = renewAt
    }

    /// The format of a blob that a provider gives for a key of no key system.
    package static let identity = "identity"

    /// Whether the user added it by its name in the asset.
    package var isGivenByName: Bool { identifier == Array(id.utf8) }

    /// Whether the user added it by its KID. No playlist names it then.
    package var isOfIdentifier: Bool { identifier != nil && !isGivenByName }

    /// Whether it was fetched, from the URI in the playlist or from a key provider.
    package var isFetched: Bool {
        identifier == nil && (format == nil || format == Self.identity || system != nil)
    }
}

/// A row of `source_playlist`: the origin's playlist, byte for byte except for content keys in `data:` URIs.
package struct SourcePlaylist: Sendable {
    /// The rendition's name; empty for the multivariant playlist.
    package var rendition: String
    /// The playlist's address after redirects.
    package var url: String
    package var body: [UInt8]

    package init(rendition: String, url: String, body: [UInt8]) {
        self.rendition = rendition
        self.url = url
        self.body = body
    }
}
