/// EXT-X-SERVER-CONTROL (RFC 8216bis §4.4.3.8).
public struct ServerControl: Sendable, Hashable {
    /// CAN-SKIP-UNTIL in seconds.
    public var canSkipUntil: Double?
    /// CAN-SKIP-DATERANGES=YES.
    public var canSkipDateRanges: Bool
    /// HOLD-BACK in seconds.
    public var holdBack: Double?
    /// PART-HOLD-BACK in seconds.
    public var partHoldBack: Double?
    /// CAN-BLOCK-RELOAD=YES.
    public var canBlockReload: Bool

    init(_ attributes: AttributeList) {
        canSkipUntil = attributes.decimal("CAN-SKIP-UNTIL")
        canSkipDateRanges = attributes.isYes("CAN-SKIP-DATERANGES")
        holdBack = attributes.decimal("HOLD-BACK")
        partHoldBack = attributes.decimal("PART-HOLD-BACK")
        canBlockReload = attributes.isYes("CAN-BLOCK-RELOAD")
    }
}

/// EXT-X-SKIP: the segments a delta update leaves out (RFC 8216bis §4.4.5.2).
public struct Skip: Sendable, Hashable {
    /// SKIPPED-SEGMENTS.
    public var skippedSegments: Int
    /// RECENTLY-REMOVED-DATERANGES: the IDs of date ranges that are gone.
    public var recentlyRemovedDateRanges: [String]
}

/// EXT-X-PRELOAD-HINT (RFC 8216bis §4.4.5.3).
public struct PreloadHint: Sendable, Hashable {
    /// TYPE: `PART` or `MAP`.
    public var type: String
    /// URI.
    public var uri: String
    /// BYTERANGE-START, 0 when omitted.
    public var byteRangeStart: Int
    /// BYTERANGE-LENGTH; to the end of the resource when `nil`.
    public var byteRangeLength: Int?

    init?(_ attributes: AttributeList) {
        guard let type = attributes["TYPE"], let uri = attributes["URI"] else { return nil }
        self.type = type
        self.uri = uri
        byteRangeStart = attributes.integer("BYTERANGE-START") ?? 0
        byteRangeLength = attributes.integer("BYTERANGE-LENGTH")
    }
}

/// EXT-X-RENDITION-REPORT (RFC 8216bis §4.4.5.4).
public struct RenditionReport: Sendable, Hashable {
    /// URI of the other media playlist.
    public var uri: String
    /// LAST-MSN: the number of its last segment.
    public var lastMediaSequence: Int?
    /// LAST-PART: the index of its last part.
    public var lastPart: Int?

    init?(_ attributes: AttributeList) {
        guard let uri = attributes["URI"] else { return nil }
        self.uri = uri
        lastMediaSequence = attributes.integer("LAST-MSN")
        lastPart = attributes.integer("LAST-PART")
    }
}
