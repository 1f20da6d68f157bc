/// The JSON that describes a playlist to people and scripts.
///
/// A media playlist has `targetDuration`, `mediaSequence`, `discontinuitySequence`, `playlistType`, `endList`
/// and `segments`; a multivariant playlist has `variants` and `media`. Durations are seconds, URIs are as
/// written with variables replaced, and what is missing is `null`.
public struct PlaylistReport: Sendable {
    /// The JSON text, in one line.
    public let json: String

    /// Describes a playlist.
    public init(_ playlist: Playlist) {
        switch playlist {
        case .media(let playlist): json = PlaylistReport.object(playlist).text
        case .multivariant(let playlist): json = PlaylistReport.object(playlist).text
        }
    }

    /// Describes why a text is no playlist: `valid` is `false`, `error` the sentence, `line` the line.
    public init(_ error: PlaylistError) {
        json =
            JSONText.object([
                ("valid", .bool(false)), ("error", .string(error.description)),
                ("line", .integer(error.line)),
            ]).text
    }
}
