/// Writes a multivariant playlist (RFC 8216bis §4.4.6). Attributes are written unchanged, except the URI, which comes
/// from the entry.
///
/// ```swift
/// var writer = MultivariantPlaylistWriter()
/// let attributes = try AttributeList(parsing: "BANDWIDTH=2000000,RESOLUTION=1280x720")
/// writer.variants = [VariantStream(uri: "video/media.m3u8", attributes: attributes)]
/// print(String(decoding: writer.bytes, as: UTF8.self))
/// ```
public struct MultivariantPlaylistWriter: Sendable {
    /// EXT-X-INDEPENDENT-SEGMENTS.
    public var independentSegments = false
    /// EXT-X-START.
    public var start: StartPoint?
    /// EXT-X-SESSION-DATA.
    public var sessionData: [SessionData] = []
    /// EXT-X-SESSION-KEY.
    public var sessionKeys: [EncryptionKey] = []
    /// EXT-X-MEDIA.
    public var renditions: [Rendition] = []
    /// EXT-X-STREAM-INF.
    public var variants: [VariantStream] = []
    /// EXT-X-I-FRAME-STREAM-INF.
    public var iFrameStreams: [IFrameStream] = []
    /// EXT-X-IMAGE-STREAM-INF.
    public var imageStreams: [ImageStream] = []
    /// Whole lines to keep.
    public var otherTags: [String] = []

    /// A playlist without entries.
    public init() {}

    /// The playlist.
    public var bytes: [UInt8] {
        var output = PlaylistOutput()
        output.line("#EXTM3U")
        output.line("#EXT-X-VERSION:\(version)")
        if independentSegments { output.line("#EXT-X-INDEPENDENT-SEGMENTS") }
        if let start { output.tag("EXT-X-START", start.attributes) }
        for tag in otherTags { output.line(tag) }
        for data in sessionData { output.tag("EXT-X-SESSION-DATA", data.attributes) }
        for key in sessionKeys { output.tag("EXT-X-SESSION-KEY", key.attributes) }
        for rendition in renditions { output.tag("EXT-X-MEDIA", rendition.writtenAttributes) }
        for variant in variants {
            output.tag("EXT-X-STREAM-INF", variant.attributes)
            output.line(variant.uri)
        }
        for stream in iFrameStreams {
            output.tag("EXT-X-I-FRAME-STREAM-INF", stream.attributes.setting("URI", quoted: stream.uri))
        }
        for stream in imageStreams {
            output.tag("EXT-X-IMAGE-STREAM-INF", stream.attributes.setting("URI", quoted: stream.uri))
        }
        return output.bytes
    }

    /// The lowest version that permits the written tags (RFC 8216bis §8).
    private var version: Int {
        let lists = variants.map(\.attributes) + iFrameStreams.map(\.attributes)
        if lists.contains(where: \.hasRequirement) { return 12 }
        if renditions.contains(where: { $0.instreamID?.hasPrefix("SERVICE") == true }) { return 7 }
        return sessionKeys.map { MediaFeatures($0).version }.max() ?? 1
    }
}

extension AttributeList {
    /// Whether it has an attribute that a client must understand to use the entry.
    fileprivate var hasRequirement: Bool { pairs.contains { $0.name.hasPrefix("REQ-") } }
}

extension Rendition {
    fileprivate var writtenAttributes: AttributeList {
        guard let uri else { return attributes.removing("URI") }
        return attributes.setting("URI", quoted: uri)
    }
}
