internal import HLSPlaylist

extension ParseLimits {
    /// Of what is in the catalog: a recording may be longer than what an origin sends at once. A recording ends before it
    /// comes near them (`RecordedSize`). Lines are as long, and segments as many, as in what origins send, so that what is
    /// served of it can be read everywhere; other tags are limited by the bytes.
    static let stored: ParseLimits = {
        var limits = ParseLimits()
        limits.bytes = 128 << 20
        limits.attributes = 8_000_000
        limits.otherTags = limits.bytes
        return limits
    }()
}

extension StoreError {
    /// Whether what was recorded of a rendition can't be read again.
    var isUnreadableRecording: Bool { if case .unreadableRecording = code { true } else { false } }
}

extension Catalog {
    /// The media playlist that a rendition was made from, with all that was recorded, and its address.
    ///
    /// - Parameter variables: those of the multivariant playlist, where they are known already.
    /// - Returns: `nil` when there is none, or none that can be read.
    /// - Throws: `unreadableRecording` when it is one of a recording, which would be taken for ended.
    func mediaPlaylist(
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
            guard try recordedStates(of: token)[rendition] != nil else { return nil }
            throw StoreError(.unreadableRecording(rendition, error))
        }
    }
}
