internal import HLSPlaylist

extension TrackEditor {
    /// Removes renditions and their media from an asset. The main rendition can't be removed. Keys that no other
    /// rendition needs are removed, too.
    ///
    /// - Throws: `noSuchRendition` or `mainRendition`; then nothing has changed.
    package func remove(_ names: [String], from token: AssetToken) async throws(StoreError) {
        try await intake.resolveFirst(token)
        await turns.take(token)
        defer { turns.release(token) }
        guard let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard AssetAction.extend.outcome(from: record.state) != nil else {
            throw StoreError(.wrongState(record.state, wanted: "stripped of tracks"))
        }
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        let removal = try TrackRemoval(names, from: rows)
        let needed = try keyAddresses(of: rows.filter { !removal.removed.contains($0) }, token)
        let keys = try catalog.renditions.keys(of: token).filter {
            $0.identifier == nil && !needed.contains($0.url)
        }
        defer { notices.changed(token) }
        try await engine.resting(token) { () throws(StoreError) in
            let items = try catalog.renditions.shrink(
                token, by: removal, forgetting: keys.map(\.id), at: wall.now)
            try disposer.dispose(items)
        }
    }

    /// The addresses of the keys that renditions need.
    private func keyAddresses(
        of rows: [RenditionRecord], _ token: AssetToken
    ) throws(StoreError) -> Set<String> {
        let streams = try catalog.renditions.streams(of: rows, token)
        return Set(streams.flatMap(\.keys).map(\.address))
    }
}
