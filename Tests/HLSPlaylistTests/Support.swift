import HLSPlaylist
import Testing

/// Reads a text that must be a media playlist.
func media(_ text: String, context: VariableContext = .init()) throws -> MediaPlaylist {
    guard case .media(let playlist) = try Playlist(parsing: Array(text.utf8), context: context) else {
        throw WrongKind()
    }
    return playlist
}

/// Reads a text that must be a multivariant playlist.
func multivariant(_ text: String, context: VariableContext = .init()) throws -> MultivariantPlaylist {
    guard case .multivariant(let playlist) = try Playlist(parsing: Array(text.utf8), context: context) else {
        throw WrongKind()
    }
    return playlist
}

/// Why a text is refused; `nil` when it is not.
func refusal(
    _ text: String, context: VariableContext = .init(), limits: ParseLimits = .init()
) -> PlaylistError? {
    refusal(Array(text.utf8), context: context, limits: limits)
}

func refusal(
    _ bytes: [UInt8], context: VariableContext = .init(), limits: ParseLimits = .init()
) -> PlaylistError? {
    do throws(PlaylistError) {
        _ = try Playlist(parsing: bytes, context: context, limits: limits)
        return nil
    } catch {
        return error
    }
}

struct WrongKind: Error {}

/// The lines of a written playlist.
func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
        String.init)
}
