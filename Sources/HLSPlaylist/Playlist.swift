/// A playlist of either kind (RFC 8216bis §4).
///
/// A playlist keeps the bytes it was read from: `serialized` gives back exactly those, whatever of them the
/// typed views understood.
///
/// ```swift
/// let playlist = try Playlist(parsing: bytes)
/// guard case .media(let media) = playlist else { return }
/// print(media.segments.count, media.segments.first?.duration ?? 0)
/// ```
public enum Playlist: Sendable {
    /// A playlist that lists variants and renditions (RFC 8216bis §4.4.6).
    case multivariant(MultivariantPlaylist)
    /// A playlist that lists segments (RFC 8216bis §4.4.3).
    case media(MediaPlaylist)

    /// Reads a playlist.
    ///
    /// Like players, it accepts a byte order mark, CR, LF and CRLF, blanks around lines, unknown tags, and a missing
    /// `EXT-X-TARGETDURATION`. Faults that would make a player fetch the wrong bytes are errors.
    public init(
        parsing bytes: [UInt8], context: VariableContext = .init(), limits: ParseLimits = .init()
    ) throws(PlaylistError) {
        var limits = limits
        limits.bytes = min(limits.bytes, 1 << 31)
        guard bytes.count <= limits.bytes else {
            throw PlaylistError(code: .overLimit(.bytes(limits.bytes)), line: 0)
        }
        let scope = VariableScope(context: context, limit: limits.substitutedBytes)
        switch try PlaylistKind(of: bytes, limits: limits) {
        case .media:
            var parser = MediaPlaylistParser(bytes: bytes, limits: limits, scope: scope)
            self = .media(try parser.parse())
        case .multivariant:
            var parser = MultivariantPlaylistParser(bytes: bytes, limits: limits, scope: scope)
            self = .multivariant(try parser.parse())
        }
    }

    /// The bytes the playlist was read from.
    public var serialized: [UInt8] {
        switch self {
        case .multivariant(let playlist): playlist.serialized
        case .media(let playlist): playlist.serialized
        }
    }
}
