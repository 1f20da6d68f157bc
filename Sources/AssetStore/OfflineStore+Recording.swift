extension OfflineStore {
    /// Ends the recording of a live stream: what it has listed so far is still fetched, then the asset is complete.
    /// One that does not run ends as it is. Nothing happens to other assets.
    public func stopRecording(_ token: AssetToken) throws(StoreError) {
        guard try catalog.assets.asset(token) != nil else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard !context.recordings.stop(token) else { return }
        try endRecording(of: token)
        // One that began meanwhile may have found itself open still.
        _ = context.recordings.stop(token)
    }

    /// Ends the recordings among assets whose transfers were stopped, as many as it can.
    ///
    /// - Throws: why it could not, of the first one.
    func endRecordings(of tokens: [AssetToken]) throws(StoreError) {
        let recordings = Set(try catalog.recordings.openRecordings())
        var failure: StoreError?
        for token in tokens where recordings.contains(token) {
            do throws(StoreError) { try endRecording(of: token) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Ends a recording whose transfers were stopped.
    func endRecording(of token: AssetToken) throws(StoreError) {
        try BundlePlaylists(catalog: catalog, paths: paths, token: token)
            .end(.stopped, at: context.clock.now)
    }
}
