internal import Crypto
internal import Foundation
internal import HLSPlaylist
internal import Languages
internal import SystemPackage

/// A subtitle file to be added to an asset.
///
/// ```swift
/// let german = SubtitleSource(source: "/films/film.de.srt", language: "de")
/// try await store.addSubtitleFiles([german], to: id)
/// ```
public struct SubtitleSource: Codable, Sendable, Equatable {
    /// The size of the largest subtitle file, in bytes: 64 MiB.
    public static let sizeLimit = 64 << 20

    /// A path, or an http or https URL.
    public var source: String
    /// Its language (BCP 47).
    public var language: String
    /// The name of the track; the language's own name when `nil`.
    public var name: String?

    /// A file in a language.
    public init(source: String, language: String, name: String? = nil) {
        self.source = source
        self.language = language
        self.name = name
    }

    /// Reads `FILE:LANG` or `URL:LANG`; `nil` if the text after the last colon is not a language.
    public init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), colon > argument.startIndex,
            LanguageTag.isTag(String(argument[argument.index(after: colon)...]))
        else { return nil }
        self.init(
            source: String(argument[..<colon]), language: String(argument[argument.index(after: colon)...]))
    }

    package var isRemote: Bool { source.hasPrefix("http://") || source.hasPrefix("https://") }

    /// The source as errors may name it.
    package var redacted: String { isRemote ? URIReference(source).redacted : source }
}
