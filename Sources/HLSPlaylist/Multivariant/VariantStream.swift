/// EXT-X-STREAM-INF and its URI (RFC 8216bis §4.4.6.2).
public struct VariantStream: Sendable, Hashable {
    /// The URI as written, variables replaced; not resolved.
    public var uri: String
    /// All attributes.
    public var attributes: AttributeList
    /// The line of the tag, counted from 1.
    public var line: Int

    /// A variant of the given attributes.
    public init(uri: String, attributes: AttributeList, line: Int = 0) {
        self.uri = uri
        self.attributes = attributes
        self.line = line
    }

    /// The group of the video renditions.
    public var video: String? { attributes["VIDEO"] }
    /// FRAME-RATE in frames a second.
    public var frameRate: Double? { attributes.decimal("FRAME-RATE") }
}

extension VariantStream: StreamAttributes {
    /// The group of the audio renditions.
    public var audio: String? { attributes["AUDIO"] }
    /// The group of the subtitle renditions.
    public var subtitles: String? { attributes["SUBTITLES"] }
    /// The group of the closed captions; `nil` also for `NONE`.
    public var closedCaptions: String? { declaresNoClosedCaptions ? nil : attributes["CLOSED-CAPTIONS"] }
    /// CLOSED-CAPTIONS=NONE: no variant has closed captions.
    public var declaresNoClosedCaptions: Bool { attributes.plain("CLOSED-CAPTIONS") == "NONE" }
}

/// EXT-X-IMAGE-STREAM-INF: a playlist of pictures, one or a grid of them (EXT-X-TILES) a segment. Roku's, not the RFC's.
public struct ImageStream: Sendable, Hashable, StreamAttributes {
    /// URI as written, variables replaced; not resolved.
    public var uri: String
    /// All attributes.
    public var attributes: AttributeList
    /// The line of the tag, counted from 1.
    public var line: Int

    /// A stream of the given attributes.
    public init(uri: String, attributes: AttributeList, line: Int = 0) {
        self.uri = uri
        self.attributes = attributes
        self.line = line
    }
}

/// EXT-X-I-FRAME-STREAM-INF (RFC 8216bis §4.4.6.3).
public struct IFrameStream: Sendable, Hashable, StreamAttributes {
    /// URI as written, variables replaced; not resolved.
    public var uri: String
    /// All attributes.
    public var attributes: AttributeList
    /// The line of the tag, counted from 1.
    public var line: Int

    /// A stream of the given attributes.
    public init(uri: String, attributes: AttributeList, line: Int = 0) {
        self.uri = uri
        self.attributes = attributes
        self.line = line
    }

    /// The group of the video renditions.
    public var video: String? { attributes["VIDEO"] }
}
