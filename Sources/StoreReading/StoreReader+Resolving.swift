extension StoreReader {
    /// Whether the playlists of an asset have not been read yet, so that nothing of it can be served.
    package func isUnresolved(_ token: AssetToken) throws(StoreError) -> Bool {
        try catalog?.queue.isUnresolved(token) ?? false
    }
}
