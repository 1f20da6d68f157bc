internal import Languages

/// A requested rendition or term that an asset lacks: the stream does not have it, or it does not apply. Renditions
/// that the stream has but that could not be fetched are `LostStream`s.
public struct LeftOut: Codable, Sendable, Hashable {
    /// The kinds of things that can be left out.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case audio, subtitles
        /// A variant, or something that belongs to variants: I-frame playlists.
        case variant
        /// Terms of a license; the stream is not encrypted.
        case licenseTerms = "license-terms"
        /// A recording; the stream is not live.
        case recording
    }

    /// The kind of the request.
    public var kind: Kind
    /// The request in the user's words.
    public var wanted: String
    /// The choices that the stream has; empty where there is no choice.
    public var offered: [String]

    /// A thing that was asked for.
    public init(_ kind: Kind, _ wanted: String, offered: [String] = []) {
        (self.kind, self.wanted, self.offered) = (kind, wanted, offered)
    }

    /// A clause for people: `audio xx; the stream has en, de`.
    public var sentence: String {
        let name = kind == .licenseTerms || kind == .recording ? "" : "\(kind.rawValue) "
        return "\(name)\(wanted.plainLine); \(excuse)"
    }

    private var excuse: String {
        if kind == .licenseTerms { return "the stream is not encrypted" }
        if kind == .recording { return "the stream is not live" }
        return offered.isEmpty
            ? "the stream has none" : "the stream has \(offered.joined(separator: ", ").plainLine)"
    }
}
