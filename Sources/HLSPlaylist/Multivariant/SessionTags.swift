/// EXT-X-SESSION-DATA (RFC 8216bis §4.4.6.4).
public struct SessionData: Sendable, Hashable {
    /// All attributes.
    public var attributes: AttributeList

    /// Session data of the given attributes.
    public init(attributes: AttributeList) {
        self.attributes = attributes
    }

    /// DATA-ID, such as `com.apple.hls.title`; empty when missing.
    public var dataID: String { attributes["DATA-ID"] ?? "" }
    /// VALUE.
    public var value: String? { attributes["VALUE"] }
    /// URI as written, variables replaced.
    public var uri: String? { attributes["URI"] }
    /// FORMAT: `JSON`, which is also meant when it is missing, or `RAW`.
    public var format: String { attributes["FORMAT"] ?? "JSON" }
    /// LANGUAGE, a tag of RFC 5646.
    public var language: String? { attributes["LANGUAGE"] }
}

/// EXT-X-CONTENT-STEERING (RFC 8216bis §4.4.6.6).
public struct ContentSteering: Sendable, Hashable {
    /// SERVER-URI as written, variables replaced.
    public var serverURI: String
    /// PATHWAY-ID to begin with.
    public var pathwayID: String?

    init?(_ attributes: AttributeList) {
        guard let uri = attributes["SERVER-URI"] else { return nil }
        serverURI = uri
        pathwayID = attributes["PATHWAY-ID"]
    }
}
