extension DownloadEngine {
    /// Starts the recordings that are queued: what is live waits for no place.
    func beginRecordings() throws(StoreError) {
        for token in try context.catalog.queuedRecordings()
        where running[token] == nil && !held.contains(token) {
            if try obstacle(to: token) == nil { try begin(token) }
        }
    }
}
