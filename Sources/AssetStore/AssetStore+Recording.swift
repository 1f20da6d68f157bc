extension AssetStore {
    /// Ends the recording of a live stream: what it has listed so far is still fetched, then the asset is complete.
    /// One that does not run ends as it is. Nothing happens to other assets.
    public func stopRecording(_ token: AssetToken) throws(StoreError) {
        guard try catalog.asset(token) != nil else { throw StoreError(.noSuchAsset(token.description)) }
        if !context.recordings.stop(token) { try endRecording(of: token) }
    }

    /// Ends the recordings among assets whose transfers were stopped.
    func endRecordings(of tokens: [AssetToken]) throws(StoreError) {
        let recordings = Set(try catalog.openRecordings())
        for token in tokens where recordings.contains(token) { try endRecording(of: token) }
    }

    /// Ends a recording whose transfers were stopped.
    func endRecording(of token: AssetToken) throws(StoreError) {
        try BundlePlaylists(catalog: catalog, paths: paths, token: token)
            .end(.stopped, at: context.clock.now)
    }
}
