internal import ASCII

/// EXT-X-DATERANGE (RFC 8216bis §4.4.5.1). Dates are kept as written.
public struct DateRange: Sendable, Hashable {
    /// All attributes, the client-defined ones (`X-…`) included.
    public var attributes: AttributeList
    /// ID.
    public var id: String
    /// The line, counted from 1.
    public var line: Int

    /// `nil` without an ID.
    init?(_ attributes: AttributeList, line: Int) {
        guard let id = attributes["ID"] else { return nil }
        self.attributes = attributes
        self.id = id
        self.line = line
    }

    /// CLASS, such as `com.apple.hls.interstitial`.
    public var classAttribute: String? { attributes["CLASS"] }
    /// START-DATE.
    public var startDate: String? { attributes["START-DATE"] }
    /// END-DATE.
    public var endDate: String? { attributes["END-DATE"] }
    /// DURATION in seconds.
    public var duration: Double? { attributes.decimal("DURATION") }
    /// PLANNED-DURATION in seconds.
    public var plannedDuration: Double? { attributes.decimal("PLANNED-DURATION") }
    /// END-ON-NEXT=YES: the range ends where the next one of its class starts.
    public var endsOnNext: Bool { attributes.isYes("END-ON-NEXT") }
    /// CUE: `PRE`, `POST`, `ONCE`.
    public var cue: [String] { attributes.list("CUE", separator: .comma) }
    /// X-ASSET-URI: one asset of an interstitial.
    public var assetURI: String? { attributes["X-ASSET-URI"] }
    /// X-ASSET-LIST: the URI of a list of an interstitial's assets.
    public var assetListURI: String? { attributes["X-ASSET-LIST"] }
}
