package import HLSPlaylist
package import StorePlanning
package import TestSupport

extension Playlists {
    /// Reads a media playlist.
    package static func parsedMedia(_ text: String) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist(parsing: Array(text.utf8)) else {
            throw StoreError(.stopped(.closing))
        }
        return playlist
    }

    /// Reads a multivariant playlist.
    package static func parsedMaster(_ text: String) throws -> MultivariantPlaylist {
        guard case .multivariant(let playlist) = try Playlist(parsing: Array(text.utf8)) else {
            throw StoreError(.stopped(.closing))
        }
        return playlist
    }

    /// The streams that a selection takes of a multivariant playlist, by their URIs.
    package static func chosen(_ text: String, _ change: (inout Selection) -> Void = { _ in }) throws
        -> [SelectedStream]
    {
        var selection = Selection()
        change(&selection)
        return try StreamSelector.select(from: parsedMaster(text), selection)
    }
}
