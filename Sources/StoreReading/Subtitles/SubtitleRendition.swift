internal import HLSPlaylist
internal import Languages

/// A subtitle track of an asset, as others see it.
public struct SubtitleRendition: Sendable, Hashable {
    /// Its unique name in the asset.
    public var name: String
    /// Its language (BCP 47) in the stream; `nil` without one.
    public var language: String?
    /// NAME.
    public var title: String?
    /// Whether every viewer should see it: signs, and speech in a foreign language (FORCED).
    public var isForced: Bool
    /// Whether it describes sounds, too: subtitles for the deaf and hard of hearing (CHARACTERISTICS).
    public var isSDH: Bool
    /// Whether players show it by default (DEFAULT).
    public var isDefault: Bool
    /// Whether it is completely stored.
    public var isComplete: Bool
    /// Whether it came from a subtitle file, not from the stream.
    public var isExternal: Bool

    init(_ row: RenditionRecord) {
        let attributes = row.attributes
        name = row.name
        language = row.language
        title = row.title
        isForced = row.isForced
        let traits = attributes["CHARACTERISTICS"] ?? ""
        isSDH = traits.contains("describes-music-and-sound") || traits.contains("transcribes-spoken-dialog")
        isDefault = attributes["DEFAULT"] == "YES"
        isComplete = row.isComplete
        isExternal = row.sourceFile != nil
    }
}

extension [SubtitleRendition] {
    /// The track for a language or a track name (RFC 4647, section 3.4; also the other way round: `en` finds
    /// `en-GB`). Of several tracks in one language, the full one is preferred.
    public func find(_ wanted: String) -> SubtitleRendition? {
        func named(_ title: String) -> SubtitleRendition? {
            let title = title.lowercased()
            return first { $0.title?.lowercased() == title }
                ?? first { $0.language.flatMap(LanguageTag.englishName)?.lowercased() == title }
        }

        if let named = first(where: { $0.name == wanted }) { return named }
        let matches = LanguageRange.matches(wanted, in: map(\.language)).map { self[$0] }
        return matches.first { !$0.isForced && $0.isDefault } ?? matches.first { !$0.isForced && !$0.isSDH }
            ?? matches.first { !$0.isForced } ?? matches.first ?? named(wanted)
    }
}
