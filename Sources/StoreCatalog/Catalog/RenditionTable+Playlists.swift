package import HLSPlaylist

extension StoreError {
    /// Whether the recording of a rendition can't be read again.
    package var isUnreadableRecording: Bool { if case .unreadableRecording = code { true } else { false } }
}

extension RenditionTable {
    /// The media playlist from which a rendition was made, with all recorded pieces, and its address.
    ///
    /// - Parameter variables: the variables of the multivariant playlist, if they are known.
    /// - Returns: `nil` if there is none, or if it can't be read.
    /// - Throws: `unreadableRecording` if it is a recording's, which would count as ended otherwise.
    package func mediaPlaylist(
        _ token: AssetToken, _ rendition: String, variables: [String: String]? = nil
    ) throws(StoreError) -> (playlist: MediaPlaylist, url: String)? {
        guard let source = try sourcePlaylist(token, rendition) else { return nil }
        let imported = if let variables { variables } else { try self.variables(of: token) }
        let context = VariableContext(imported: imported, playlistURL: source.url)
        do throws(PlaylistError) {
            let read = try Playlist(parsing: source.body, context: context, limits: .stored)
            guard case .media(let playlist) = read else { return nil }
            return (playlist, source.url)
        } catch {
            guard try catalog.recordings.recordedStates(of: token)[rendition] != nil else { return nil }
            throw StoreError(.unreadableRecording(rendition, error))
        }
    }
}

extension RenditionTable {
    /// The variables that an asset's multivariant playlist hands to its media playlists (EXT-X-DEFINE).
    package func variables(of token: AssetToken) throws(StoreError) -> [String: String] {
        guard let source = try sourcePlaylist(token, "") else { return [:] }
        let context = VariableContext(playlistURL: source.url)
        guard case .multivariant(let master)? = try? Playlist(parsing: source.body, context: context) else {
            return [:]
        }
        return master.variables
    }
}
