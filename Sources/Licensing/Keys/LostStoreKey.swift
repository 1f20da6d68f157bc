internal import Foundation
package import SystemPackage

/// The sealed items that no key of a store opens, when the right one is lost for good.
package struct LostStoreKey: Sendable, Equatable {
    /// Content keys; `license renew` gets them again where their origin still gives them.
    package var keys = 0
    /// Queued requests without a stream yet: their assets are removed.
    package var requests = 0
    /// The digests of wiped keys (`license revoke`). Renewed keys can't be compared with them any more.
    package var digests = 0

    /// Finds the data that the present keys can't open and gives them up, so that an engine can work on the store
    /// again. The access settings of origins stay sealed: no request is sent with other settings than the user's.
    ///
    /// - Parameter isTrial: whether to change nothing. Otherwise a copy of the catalog is kept beside it.
    /// - Throws: `storeInUse` while an engine works on the store.
    package static func giveUp(in root: FilePath, isTrial: Bool) throws(StoreError) -> LostStoreKey {
        let paths = StorePaths(root: root)
        // A lost catalog needs no key, and is not made here.
        guard let sealed = try Sealed(paths) else { return LostStoreKey() }
        guard !isTrial else { return sealed.lost }
        let lock = try StoreLock(paths.lock)
        defer { lock.release() }
        let catalog = try Catalog(writing: paths.catalog)
        defer { catalog.close() }
        guard let sealed = try Sealed(paths) else { return LostStoreKey() }
        if sealed.lost != LostStoreKey() { try catalog.sealed.copy(to: aside(paths.catalog)) }
        try catalog.sealed.giveUp(sealed.keys, andDigests: sealed.digests > 0)
        _ = try catalog.storage.discard(sealed.requests.map(\.token), at: SystemWallClock().now) {
            !FileSystem.isAbsent(paths.asset($0))
        }
        try setAside(paths.storeKey)
        return sealed.lost
    }

    /// The sealed items of a store that no key opens.
    private struct Sealed {
        var keys: [SealedItem]
        var requests: [SealedItem]
        var digests: Int

        /// `nil` when there is no catalog.
        init?(_ paths: StorePaths) throws(StoreError) {
            guard let catalog = try Catalog(reading: paths.catalog) else { return nil }
            defer { catalog.close() }
            let vaults = try KeyVault.candidates(paths)
            let (allKeys, allRequests) = (
                try catalog.sealed.sealedKeys(), try catalog.sealed.sealedRequests()
            )
            keys = allKeys.filter { !vaults.open($0) }
            // Assets with a key that opens stay, although they can't be resolved.
            let kept = Set(allKeys.filter(vaults.open).map(\.token))
            requests = allRequests.filter { !vaults.open($0) && !kept.contains($0.token) }
            // Keys that were wiped can be compared with others only by the key that digested them.
            let all = allKeys.count + allRequests.count
            let isAllLost = vaults.isEmpty || (all > 0 && keys.count + requests.count == all)
            digests = isAllLost ? try catalog.sealed.digestsOfWiped() : 0
        }

        var lost: LostStoreKey {
            LostStoreKey(keys: keys.count, requests: requests.count, digests: digests)
        }
    }

    /// Renames a file that is not a valid key; a new key is made in its place.
    private static func setAside(_ path: FilePath) throws(StoreError) {
        guard KeyVault.path(path) == path, FileSystem.isThere(path), (try? KeyVault.existing(path)) == nil
        else { return }
        try FileSystem.rename(path, to: aside(path))
        try FileSystem.syncDirectory(path.parent)
    }

    /// A free name beside a file.
    private static func aside(_ path: FilePath) -> FilePath {
        let names = (0...).lazy.map { FilePath("\(path).given-up\($0 == 0 ? "" : "-\($0)")") }
        return names.first { !FileSystem.isThere($0) } ?? path
    }
}

extension KeyVault {
    /// The possible keys of a store: the one that the environment names, and its own file.
    fileprivate static func candidates(_ paths: StorePaths) throws(StoreError) -> [KeyVault] {
        var found: [KeyVault] = []
        for environment in [ProcessInfo.processInfo.environment, [:]] {
            do throws(StoreError) {
                if let vault = try existing(paths.storeKey, environment: environment) { found.append(vault) }
            } catch {
                // An invalid key file of the store opens nothing; an invalid file that the environment names is an
                // error to correct.
                guard case .vault = error.code, path(paths.storeKey) == paths.storeKey else { throw error }
            }
        }
        return found
    }
}

extension [KeyVault] {
    /// Whether one of them opens an item.
    fileprivate func open(_ item: SealedItem) -> Bool { contains { $0.opens(item) } }
}
