internal import HLSPlaylist

/// A part of a stream that an asset was made without: its playlist could not be had when the stream was looked into.
public struct LostStream: Codable, Sendable, Hashable {
    /// A kind of rendition (`RenditionKind`), or `interstitial`, `poster`, `subtitle file`.
    public var kind: String
    /// LANGUAGE, as the stream had it (BCP 47).
    public var language: String?
    /// NAME.
    public var title: String?
    /// RESOLUTION, such as `1280x720`.
    public var resolution: String?
    /// BANDWIDTH, in bits per second.
    public var bandwidth: Int?
    /// The reason, in a clause that holds no secret.
    public var reason: String

    /// Makes a lost stream of a rendition and its error.
    public init(
        kind: String, language: String? = nil, title: String? = nil, resolution: String? = nil,
        bandwidth: Int? = nil, reason: String
    ) {
        (self.kind, self.language, self.title) = (kind, language, title)
        (self.resolution, self.bandwidth, self.reason) = (resolution, bandwidth, reason)
    }

    /// The rendition and the reason, in a sentence.
    public var sentence: String { "\(label): \(reason)" }

    /// Whether it is audio or subtitles, for which the stream has no substitute.
    package var isMissed: Bool {
        kind == RenditionKind.audio.rawValue || kind == RenditionKind.subtitles.rawValue
    }

    /// The part in two words: `subtitles de`.
    package var name: String { "\(kind) \(language ?? title ?? "")".plainLine }

    /// The part as people know it: `subtitles de (Deutsch)`, `variant 1920x1080 (5000 kbit/s)`.
    public var label: String {
        let rate = bandwidth.map { "\($0 / 1000 + ($0 % 1000 >= 500 ? 1 : 0)) kbit/s" }
        let facts = [language, resolution, title == language ? nil : title, rate].compactMap(\.self)
        guard let first = facts.first else { return kind }
        let rest = facts.dropFirst().joined(separator: ", ")
        return "\(kind) \(first)\(rest.isEmpty ? "" : " (\(rest))")".plainLine
    }

    /// An interstitial, whose date range has no name for people.
    package static func interstitial(_ error: StoreError) -> LostStream {
        LostStream(kind: "interstitial", reason: error.occurrence)
    }

    /// The picture that the request names.
    package static func poster(_ error: StoreError) -> LostStream {
        LostStream(kind: posterKind, reason: error.occurrence)
    }

    /// A subtitle file that the request names.
    package static func subtitles(_ source: SubtitleSource, _ error: StoreError) -> LostStream {
        LostStream(kind: subtitleFileKind, language: source.language, reason: error.occurrence)
    }

    package static let posterKind = "poster"
    package static let subtitleFileKind = "subtitle file"

    /// Whether the asset has it by now.
    package func isFound(in rows: [RenditionRecord], hasPoster: Bool = false) -> Bool {
        rows.contains { row in
            if kind == Self.subtitleFileKind { return row.sourceFile != nil && row.language == language }
            return row.kind.rawValue == kind && row.language == language && row.title == title
                && row.resolution == resolution && row.bandwidth == bandwidth
        } || (kind == Self.posterKind && hasPoster)
    }
}

extension [LostStream] {
    /// The streams that an asset of these renditions still lacks.
    package func lacking(beside rows: [RenditionRecord], hasPoster: Bool = false) -> [LostStream] {
        filter { !$0.isFound(in: rows, hasPoster: hasPoster) }
    }
}
