internal import ASCII

/// The attributes that variants and I-frame streams share (RFC 8216bis §4.4.6.2, §4.4.6.3).
public protocol StreamAttributes {
    /// All attributes of the tag.
    var attributes: AttributeList { get }
}

extension StreamAttributes {
    /// BANDWIDTH: the peak in bits a second; 0 when it is missing or not a number.
    public var bandwidth: Int { attributes.integer("BANDWIDTH") ?? 0 }
    /// AVERAGE-BANDWIDTH in bits a second.
    public var averageBandwidth: Int? { attributes.integer("AVERAGE-BANDWIDTH") }
    /// CODECS, one an element, such as `avc1.64001f`.
    public var codecs: [String] { attributes.list("CODECS", separator: .comma) }
    /// SUPPLEMENTAL-CODECS, one an element, such as `dvh1.08.07/db4h`.
    public var supplementalCodecs: [String] { attributes.list("SUPPLEMENTAL-CODECS", separator: .comma) }
    /// RESOLUTION.
    public var resolution: Resolution? { attributes.resolution("RESOLUTION") }
    /// HDCP-LEVEL, such as `TYPE-0`.
    public var hdcpLevel: String? { attributes["HDCP-LEVEL"] }
    /// VIDEO-RANGE: `SDR`, `HLG` or `PQ`.
    public var videoRange: String? { attributes["VIDEO-RANGE"] }
    /// SCORE: the higher, the better.
    public var score: Double? { attributes.decimal("SCORE") }
    /// STABLE-VARIANT-ID.
    public var stableVariantID: String? { attributes["STABLE-VARIANT-ID"] }
    /// PATHWAY-ID; `nil` stands for the pathway `.`.
    public var pathwayID: String? { attributes["PATHWAY-ID"] }
}
