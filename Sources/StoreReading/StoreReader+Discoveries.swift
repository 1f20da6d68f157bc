internal import Locking
internal import Logging
internal import SystemPackage

extension StoreReader {
    /// Writes damage that this process has found into the catalog, if no engine works on the store.
    ///
    /// - Returns: the assets that the engine of another process has to check itself.
    package func noteDiscoveries() -> [AssetToken] {
        guard !discoveries.tokens.isEmpty else { return [] }
        guard let lock = try? StoreLock(paths.lock) else { return discoveries.tokens }
        defer { lock.release() }
        guard let catalog = try? Catalog(writing: paths.catalog) else { return [] }
        for (token, units) in discoveries.take() {
            // A listing is no place to say that a full disk takes no note.
            _ = try? catalog.health.noteDiscovered(units, of: token, at: SystemWallClock().now)
        }
        for token in discoveries.takePlaylists().keys {
            try? catalog.health.noteBrokenPlaylists(of: token, at: SystemWallClock().now)
        }
        catalog.close()
        return []
    }
}
