internal import Logging
internal import SystemPackage

/// Takes assets out of a store, or frees what is stored of them.
struct AssetRemover: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let disposer: Disposer
    let wall: any WallClock
    let log: Logger

    /// Takes assets out of the catalog and deletes their folders.
    func dispose(_ tokens: [AssetToken]) throws(StoreError) {
        let items = try discard(tokens)
        defer { disposer.forgetErased() }
        try disposer.dispose(items)
    }

    /// Takes assets out of the catalog; their folders are to be deleted.
    func discard(_ tokens: [AssetToken]) throws(StoreError) -> [Disposal] {
        try catalog.storage.discard(tokens, at: wall.now) { !FileSystem.isAbsent(paths.asset($0)) }
    }

    /// Frees what is stored of a cancelled asset, and what had come of the rest.
    func purge(_ token: AssetToken) throws(StoreError) {
        try disposer.dispose(try catalog.storage.purge(token) { hasRest(paths.rendition(token, $0)) })
        do throws(StoreError) {
            _ = try BundlePlaylists(catalog: catalog, paths: paths, token: token).restore()
        } catch {
            // What fetches the asset again makes them then; there may be no room for them now.
            log.warning(
                "playlists could not be made again",
                metadata: ["token": "\(token)", "error": "\(error.message)"])
        }
    }

    /// Whether more than its playlist is in a rendition's folder, or nobody can tell: beginnings of segments, or whole ones
    /// that were not entered any more.
    private func hasRest(_ folder: FilePath) -> Bool {
        do throws(StoreError) {
            return try FileSystem.contents(of: folder).contains { $0 != ServedMediaPlaylist.fileName }
        } catch {
            return !FileSystem.isAbsent(folder)
        }
    }

    /// Frees what is stored of cancelled assets, of as many as it can.
    ///
    /// - Parameter isSpared: whether one stays, when its turn has come.
    /// - Returns: those that did not, and why the first one could not be freed, if so.
    func purge(
        _ tokens: [AssetToken], unless isSpared: (AssetToken) -> Bool = { _ in false }
    ) -> (tried: Set<AssetToken>, failure: StoreError?) {
        var (tried, failure) = (Set<AssetToken>(), StoreError?.none)
        for token in tokens where !isSpared(token) {
            tried.insert(token)
            do throws(StoreError) { try purge(token) } catch { failure = failure ?? error }
        }
        return (tried, failure)
    }
}
