internal import ASCII

/// The TYPE of a rendition (RFC 8216bis §4.4.6.1).
public enum RenditionType: String, Sendable, Hashable {
    /// AUDIO
    case audio = "AUDIO"
    /// VIDEO
    case video = "VIDEO"
    /// SUBTITLES
    case subtitles = "SUBTITLES"
    /// CLOSED-CAPTIONS
    case closedCaptions = "CLOSED-CAPTIONS"
}

/// EXT-X-MEDIA (RFC 8216bis §4.4.6.1).
public struct Rendition: Sendable, Hashable {
    /// TYPE.
    public var type: RenditionType
    /// URI as written, variables replaced; `nil` when the rendition is inside of the variants.
    public var uri: String?
    /// All attributes.
    public var attributes: AttributeList
    /// The line of the tag, counted from 1.
    public var line: Int

    /// A rendition of the given attributes.
    public init(type: RenditionType, uri: String?, attributes: AttributeList, line: Int = 0) {
        self.type = type
        self.uri = uri
        self.attributes = attributes
        self.line = line
    }

    /// GROUP-ID; empty when missing.
    public var groupID: String { attributes["GROUP-ID"] ?? "" }
    /// NAME; empty when missing.
    public var name: String { attributes["NAME"] ?? "" }
    /// LANGUAGE, a tag of RFC 5646.
    public var language: String? { attributes["LANGUAGE"] }
    /// ASSOC-LANGUAGE, a tag of RFC 5646.
    public var assocLanguage: String? { attributes["ASSOC-LANGUAGE"] }
    /// DEFAULT=YES.
    public var isDefault: Bool { attributes.isYes("DEFAULT") }
    /// AUTOSELECT=YES.
    public var autoselect: Bool { attributes.isYes("AUTOSELECT") }
    /// FORCED=YES.
    public var forced: Bool { attributes.isYes("FORCED") }
    /// INSTREAM-ID, such as `CC1` or `SERVICE3`.
    public var instreamID: String? { attributes["INSTREAM-ID"] }
    /// CHARACTERISTICS, one an element, such as `public.accessibility.describes-video`.
    public var characteristics: [String] { attributes.list("CHARACTERISTICS", separator: .comma) }
    /// CHANNELS as written, such as `6` or `16/JOC`.
    public var channels: String? { attributes["CHANNELS"] }
    /// SAMPLE-RATE in hertz.
    public var sampleRate: Int? { attributes.integer("SAMPLE-RATE") }
    /// BIT-DEPTH in bits.
    public var bitDepth: Int? { attributes.integer("BIT-DEPTH") }
    /// STABLE-RENDITION-ID.
    public var stableRenditionID: String? { attributes["STABLE-RENDITION-ID"] }
}
