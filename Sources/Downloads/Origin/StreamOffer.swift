/// The offer of a stream.
public struct StreamOffer: Sendable {
    /// One line of the multivariant playlist: attribute names with their verbatim values, in order.
    public struct Listing: Sendable {
        /// EXT-X-STREAM-INF, EXT-X-MEDIA, EXT-X-I-FRAME-STREAM-INF, EXT-X-IMAGE-STREAM-INF, EXT-X-SESSION-KEY or
        /// EXT-X-KEY.
        public var tag: String
        /// The attributes, without the quotation marks of quoted strings.
        public var attributes: [(name: String, value: String)]
        /// The address on the line after the tag, without its query; `nil` if no address follows the tag.
        public var uri: String?

        package init(tag: String, attributes: [(name: String, value: String)], uri: String?) {
            (self.tag, self.attributes, self.uri) = (tag, attributes, uri)
        }

        /// The value of an attribute.
        public subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

        /// The name of the key system that KEYFORMAT stands for, or KEYFORMAT itself.
        public var keySystem: String { self["KEYFORMAT"].map(DRMSystem.name) ?? "identity" }
    }

    /// The address after redirects, without user information and query.
    public var url: String
    /// Whether it can be downloaded.
    public var isEligible: Bool { reasons.isEmpty }
    /// The reasons why the stream can't be downloaded. Each has a name for programs and a sentence for people.
    public var reasons: [(name: String, sentence: String)]
    /// Whether the stream has no end yet; `nil` if that is unknown.
    public var isLive: Bool?
    /// Seconds; `nil` when unknown.
    public var duration: Double?
    /// Variant streams in the order of the playlist.
    public var variants: [Listing]
    /// Renditions in the order of the playlist.
    public var renditions: [Listing]
    /// Keys that it declares, with their formats: those of the multivariant playlist, and of its first variant.
    public var keys: [Listing]
    /// The names of the key providers that a download would ask for the keys of the first variant.
    public var keyProviders: [String] = []
    /// Variants whose playlists could not be read, with the reason.
    public var lost: [String] = []
    /// BANDWIDTH of the variants, ascending, each once; bits per second.
    public var bitrates: [Int]

    package init(
        url: String, reasons: [(name: String, sentence: String)] = [], isLive: Bool? = nil,
        duration: Double? = nil, variants: [Listing] = [], renditions: [Listing] = [], keys: [Listing] = [],
        keyProviders: [String] = [], bitrates: [Int] = []
    ) {
        (self.url, self.reasons, self.isLive, self.duration) = (url, reasons, isLive, duration)
        (self.variants, self.renditions, self.keys) = (variants, renditions, keys)
        (self.keyProviders, self.bitrates) = (keyProviders, bitrates)
    }
}
