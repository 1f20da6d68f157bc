/// The values outside of a playlist that its `EXT-X-DEFINE` tags may refer to (RFC 8216bis §4.4.2.3).
///
/// `nil` means "unknown": references to such names stay in the text as they are written. A known context that lacks a
/// requested name is an error, as the RFC demands.
public struct VariableContext: Sendable, Hashable {
    /// The variables of the multivariant playlist, for `IMPORT`.
    public var imported: [String: String]?
    /// The URL that was asked for, whose query gives the values of `QUERYPARAM`.
    public var playlistURL: String?

    /// Makes a context of the known values.
    public init(imported: [String: String]? = nil, playlistURL: String? = nil) {
        self.imported = imported
        self.playlistURL = playlistURL
    }
}
