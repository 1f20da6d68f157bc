extension StoreReader {
    /// Whether the playlists of an asset have not been read yet: nothing of it can be served.
    package func isUnresolved(_ token: AssetToken) throws(StoreError) -> Bool {
        try catalog?.queue.isUnresolved(token) ?? false
    }
}
