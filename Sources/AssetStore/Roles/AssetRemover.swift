internal import Logging
internal import SystemPackage

/// Removes assets from a store, or deletes their media.
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

    /// Deletes the stored media and the partial files of a cancelled asset.
    func purge(_ token: AssetToken) throws(StoreError) {
        try disposer.dispose(try catalog.storage.purge(token) { hasRest(paths.rendition(token, $0)) })
        do throws(StoreError) {
            _ = try BundlePlaylists(catalog: catalog, paths: paths, token: token).restore()
        } catch {
            // The next download makes the playlists then; there may be no space for them now.
            log.warning(
                "playlists could not be made again",
                metadata: ["token": "\(token)", "error": "\(error.message)"])
        }
    }

    /// Whether a rendition's folder has files other than its playlist, such as partial files and segments that were
    /// not entered. A folder that can't be read counts, too.
    private func hasRest(_ folder: FilePath) -> Bool {
        do throws(StoreError) {
            return try FileSystem.contents(of: folder).contains { $0 != ServedMediaPlaylist.fileName }
        } catch {
            return !FileSystem.isAbsent(folder)
        }
    }

    /// Deletes the media of cancelled assets. After a failure it goes on with the next asset.
    ///
    /// - Parameter isSpared: whether the media of an asset are kept. The closure is called just before they would be
    ///   deleted.
    /// - Returns: the assets that were not spared, failed ones included, and the first error.
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
