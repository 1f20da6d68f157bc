internal import HLSPlaylist

extension PlaylistSource {
    /// The date ranges of an asset, as its main rendition has them; `nil` when there is no such asset.
    package func dateRanges(of token: AssetToken) throws(StoreError) -> [AssetDateRange]? {
        guard let catalog, try catalog.assets.asset(token) != nil else { return nil }
        let rows = (try catalog.renditions.all(of: [token])[token] ?? []).filter { $0.hasPlaylist }
        for row in rows.filter({ $0.kind == .variant }) + rows.filter({ $0.kind != .variant }) {
            guard let playlist = try reader.source(of: token, row.name)?.playlist,
                !playlist.dateRanges.isEmpty
            else {
                continue
            }
            return DateRangeIndex(playlist).ranges
        }
        return []
    }
}
