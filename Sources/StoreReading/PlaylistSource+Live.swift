internal import HLSPlaylist

extension PlaylistSource {
    /// A rendition's media playlist while it is recorded; `nil` when it is not: then it has a file.
    package func growingMediaPlaylist(
        _ token: AssetToken, _ rendition: String, view: LiveView
    ) throws(StoreError) -> [UInt8]? {
        guard let catalog else { return nil }
        guard try catalog.recordings.recording(of: token)?.isOpen == true else {
            reader.growingPlaylists.forget([token])
            return nil
        }
        guard let row = try catalog.renditions.rendition(token, rendition) else { return nil }
        let pieces = try catalog.recordings.pieceCount(token, rendition)
        let key = GrowingPlaylists.Key(
            token: token, rendition: rendition, view: view, sections: row.storedInitializations)
        if let bytes = reader.growingPlaylists.find(key, pieces: pieces) { return bytes }
        guard let served = try served(token, rendition, view: view)?.playlist else { return nil }
        let bytes = GrowingPlaylist(served: served, view: view).bytes
        reader.growingPlaylists.store(bytes, under: key, pieces: pieces)
        return bytes
    }
}
