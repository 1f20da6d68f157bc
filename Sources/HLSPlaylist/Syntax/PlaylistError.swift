/// The reason for which a playlist was refused: the fault, its line, and an excerpt.
///
/// Values in quotes, queries and user information are left out of `excerpt`, so that neither a key nor a
/// signed URL reaches a log.
public struct PlaylistError: Error, Sendable, Equatable {
    /// The kinds of errors.
    public enum Code: Sendable, Hashable {
        /// No byte, or only blanks.
        case empty
        /// The first line is not `#EXTM3U` (RFC 8216bis §4.4.1.1).
        case notAPlaylist
        /// The text is a web page, usually a login or error page.
        case webPage
        /// Tags of media and multivariant playlists in one file (RFC 8216bis §4.1).
        case mixedKinds
        /// A NUL, which no text has (RFC 8216bis §4.1).
        case controlCharacter
        /// The duration of an `EXTINF` is not a decimal number of seconds from 0 to 1,000,000,000.
        case badDuration
        /// A byte range that is invalid, overflows, or lacks an offset that no earlier range determines.
        case badByteRange
        /// A tag whose value must be a decimal integer in range and is not.
        case badInteger
        /// An attribute list without the form of RFC 8216bis §4.2.
        case badAttributeList
        /// A tag without an attribute it cannot do without.
        case missingAttribute(String)
        /// A tag that must be followed by a URI and is not.
        case missingURI
        /// URI lines, but not one `EXTINF`: a plain list of links.
        case missingDuration
        /// A reference to an undefined variable, or an import of one (RFC 8216bis §4.3, §4.4.2.3).
        case undefinedVariable(String)
        /// A variable defined twice (RFC 8216bis §4.4.2.3).
        case duplicateVariable(String)
        /// More than `ParseLimits` allows.
        case overLimit(Limit)
    }

    /// The limit that was passed, with its value.
    public enum Limit: Sendable, Hashable {
        /// `ParseLimits.bytes`
        case bytes(Int)
        /// `ParseLimits.lineLength`
        case lineLength(Int)
        /// `ParseLimits.segments`
        case segments(Int)
        /// `ParseLimits.streams`
        case streams(Int)
        /// `ParseLimits.attributes`
        case attributes
        /// `ParseLimits.otherTags`; in a multivariant playlist `ParseLimits.streams`
        case otherTags(Int)
        /// `ParseLimits.keyFormats`
        case keyFormats(Int)
        /// `ParseLimits.substitutedBytes`
        case substitutedBytes
    }

    /// The kind of error.
    public var code: Code
    /// The line, counted from 1; 0 when the error is about the whole text.
    public var line: Int
    /// At most 80 characters of the line, without quoted values and queries; empty when there is no line.
    public var excerpt: String

    /// Makes an error about a line; `excerpt` is used unchanged.
    public init(code: Code, line: Int, excerpt: String = "") {
        self.code = code
        self.line = line
        self.excerpt = excerpt
    }
}
