extension DownloadEngine {
    /// Whether an asset is a recording that may go on.
    func isRecording(_ token: AssetToken) -> Bool {
        (try? context.catalog.recordings.recording(of: token))??.isOpen == true
    }

    /// Starts the recordings that are queued: what is live waits for no place.
    func beginRecordings() throws(StoreError) {
        for token in try context.catalog.recordings.queuedRecordings()
        where running[token] == nil && mayStart(token) {
            if try obstacle(to: token) == nil { try begin(token) }
        }
    }
}
