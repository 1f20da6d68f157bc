internal import FoundationEssentials
internal import GRDB

/// A row of `asset`.
struct AssetRecord: Sendable {
    var token: AssetToken
    var name: String
    var sourceURL: String
    var state: AssetState
    var reason: String?
    var priority = 0
    /// Bytes a second for all its transfers; 0 is no limit, `nil` what the request said.
    var rateLimit: UInt64?
    /// When it may be downloaded; `nil` is when the engine may.
    var schedule: Schedule?
    /// Whether it may be downloaded while the connection costs by volume.
    var isMeteredOK = false
    /// The digest of its address, of one that is to be entered.
    var address: [UInt8]?
    var selection = Selection()
    /// `OriginAccess` as the vault sealed it.
    var access: [UInt8]?
    var meta: [String: String] = [:]
    var duration = 0.0
    /// The file name of the poster in the asset's folder.
    var poster: String?
    var requestedAt: Timestamp
    var startedAt: Timestamp?
    var finishedAt: Timestamp?
    var error: AssetFailure?
    /// Whether nothing evicts it.
    var isPinned = false
    var lastPlayedAt: Timestamp?
    /// Where redirects have led from its source.
    var redirects: [String] = []
    /// What of the stream could not be read.
    var lost: [LostStream] = []
    /// When it came into its state, or began to wait for another reason; `nil` in its first one.
    var stateAt: Timestamp?
    /// What was asked for and is not in it.
    var leftOut: [LeftOut] = []
    /// The name by which its client knows the request.
    var clientID: String?
    /// What tells its request from others of that name, of one that is to be entered.
    var clientDigest: [UInt8]?
    /// What was asked for, as JSON without secrets, of one that is to be entered.
    var asked: String?
}

/// A row of `rendition`.
struct RenditionRecord: Sendable, Equatable {
    var id: Int64 = 0
    var name: String
    var position: Int
    var kind: RenditionKind
    var required: Bool
    var language: String?
    var title: String?
    var bandwidth: Int?
    var resolution: String?
    var codecs: String?
    /// The attribute list of each tag that lists it, verbatim.
    var listings: [String]
    /// The media playlist's address after redirects; `nil` for a rendition carried in another one.
    var hasPlaylist: Bool
    var container: ContainerFormat
    var duration: Double
    var segments: Int
    var storedSegments = 0
    var initializations = 0
    var storedInitializations = 0
    var storedBytes: Int64 = 0
    var expectedBytes: Int64?
    /// The size that samples of its segments make likely, as the origin told theirs; `nil` where it was not asked.
    var likelyBytes: Int64?
    var failure: String?
    /// When its folder last changed as a file of it was committed; `nil` before the first one.
    var folderTime: FolderTime?
    /// The file in its folder from which its track was made; `nil` for what the stream has.
    var sourceFile: String?
    /// The wrapping that was taken off its segments, such as `PNG`.
    var disguise: String?

    var isComplete: Bool {
        failure == nil && storedSegments == segments && storedInitializations == initializations
    }
}

/// What a unit of a rendition is.
enum UnitKind: Int, Sendable {
    case segment = 0
    case initialization = 1
}

/// Whether a unit's bytes are there.
enum UnitState: Int, Sendable {
    case missing = 0
    case stored = 1
    /// The origin marked it with EXT-X-GAP: there is nothing to fetch.
    case gap = 2
    /// The origin has it no more.
    case lost = 3
}

/// How a unit is encrypted as a whole, which hides its container.
enum UnitEncryption: Int, Sendable {
    /// Not at all, or within its container.
    case none = 0
    /// In whole blocks of 16 bytes (METHOD=AES-128 and AES-256).
    case blocks = 1
    /// In another way (METHOD=AES-256-GCM and what is not known), in which it may have any length.
    case other = 2
}

/// A row of `unit`: a media segment or an initialization section of a rendition.
struct UnitRecord: Sendable {
    var kind: UnitKind
    var number: Int
    /// Seconds from the beginning of the presentation; below 0 when that begins within the unit.
    var start: Double
    var duration: Double
    var url: String
    var range: ClosedOffsetRange?
    var encryption = UnitEncryption.none
    var state = UnitState.missing
    var size: UInt64?
    var sha256: [UInt8]?
    /// The result of the last look at its bytes.
    var finding: UnitFinding?

    /// Whether all of it is encrypted.
    var isEncrypted: Bool { encryption != .none }
}

/// A unit without its address.
struct UnitOutline: Sendable {
    var kind: UnitKind
    var number: Int
    /// Seconds from the beginning of the presentation; below 0 when that begins within the unit.
    var start: Double
    var duration: Double
    var state: UnitState
    var size: UInt64?
    /// The result of the last look at its bytes.
    var finding: UnitFinding?
}

/// A byte range with its first byte and its length, as EXT-X-BYTERANGE names it.
struct ClosedOffsetRange: Sendable, Hashable {
    var offset: UInt64
    var length: UInt64
}

/// A row of `content_key`.
struct KeyRecord: Sendable, Equatable {
    var id: String
    var url: String
    var sealed: [UInt8]?
    /// Tells whether another key is the same one, when this one is wiped.
    var digest: [UInt8]?
    /// KEYFORMAT of a key system, whose keys are opaque blobs; `nil` for a key that can be used.
    var format: String?
    /// What the media call a key that was given by the user.
    var identifier: [UInt8]?
    /// The type of a blob, as it was deposited.
    var contentType: String?
    /// KEYFORMAT of a key that a provider gives, as the playlist has it.
    var system: String?
    /// METHOD of the playlist that names it; `nil` when it was entered before that was kept, or is in none.
    var method: String?
    /// When its provider is to be asked again.
    var renewAt: Timestamp?

    /// The format of a blob that a provider gives for a key of no key system.
    static let identity = "identity"

    /// Whether it is had from where the playlist says, or from a provider.
    var isFetched: Bool { identifier == nil && (format == nil || format == Self.identity || system != nil) }
}

/// A row of `source_playlist`: what the origin sent, byte for byte but for content keys in `data:` URIs.
struct SourcePlaylist: Sendable {
    /// The rendition's name; empty for the multivariant playlist.
    var rendition: String
    /// Where it came from, after redirects.
    var url: String
    var body: [UInt8]
}

/// A unit that is durable on disk and about to be entered as stored.
struct StoredUnit: Sendable {
    var rendition: Int64
    var kind: UnitKind
    var number: Int
    var size: UInt64
    var sha256: [UInt8]
    /// The result of the look at its bytes; `nil` when nobody has looked.
    var finding: UnitFinding?
    /// The wrapping that was taken off before it was stored.
    var disguise: String?
    /// When its folder last changed, once it is in there.
    var folderTime: FolderTime?
    /// The version that its origin had, of a unit by which that is told later.
    var version: Validator?
}

/// A unit that is not there any more, or not as it was stored.
struct AbsentRow: Sendable, Hashable {
    var rendition: Int64
    var kind: UnitKind
    var number: Int
    /// Whether it is gone or damaged.
    var finding: UnitFinding
}
