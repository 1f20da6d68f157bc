/// A multivariant playlist: the variants and renditions of a presentation (RFC 8216bis §4.4.6).
///
/// ```swift
/// guard case .multivariant(let playlist) = try Playlist(parsing: bytes) else { return }
/// for variant in playlist.variants {
///     print(variant.uri, variant.bandwidth)
///     if let group = variant.audio {
///         print(playlist.renditions(.audio, group: group).map(\.name))
///     }
/// }
/// ```
public struct MultivariantPlaylist: Sendable {
    /// The bytes the playlist was read from.
    public let serialized: [UInt8]
    /// EXT-X-STREAM-INF, in order.
    public internal(set) var variants: [VariantStream] = []
    /// EXT-X-MEDIA, in order.
    public internal(set) var renditions: [Rendition] = []
    /// EXT-X-I-FRAME-STREAM-INF, in order.
    public internal(set) var iFrameStreams: [IFrameStream] = []
    /// EXT-X-IMAGE-STREAM-INF, in order.
    public internal(set) var imageStreams: [ImageStream] = []
    /// EXT-X-SESSION-DATA, in order.
    public internal(set) var sessionData: [SessionData] = []
    /// EXT-X-SESSION-KEY, in order.
    public internal(set) var sessionKeys: [EncryptionKey] = []
    /// EXT-X-CONTENT-STEERING.
    public internal(set) var contentSteering: ContentSteering?
    /// EXT-X-START.
    public internal(set) var start: StartPoint?
    /// EXT-X-INDEPENDENT-SEGMENTS: it holds for every media playlist.
    public internal(set) var independentSegments = false
    /// The variables defined by EXT-X-DEFINE, with their values, which media playlists may import.
    public internal(set) var variables: [String: String] = [:]
    /// EXT-X-VERSION; `nil` when missing or not a number.
    public internal(set) var version: Int?
    /// The `#EXT` lines this package does not know, in order, as written.
    public internal(set) var otherTags: [String] = []

    init(serialized: [UInt8]) {
        self.serialized = serialized
    }

    /// The renditions of one group, in order.
    public func renditions(_ type: RenditionType, group: String) -> [Rendition] {
        renditions.filter { $0.type == type && $0.groupID == group }
    }
}
