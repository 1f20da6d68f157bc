internal import Foundation
public import SystemPackage

/// What no key of a store opens, when the right one is lost for good.
public struct LostStoreKey: Sendable, Equatable {
    /// Content keys; `license renew` gets them again where their origin still gives them.
    public var keys = 0
    /// Requests that were waiting to be looked into: their assets have nothing yet, and go.
    public var requests = 0

    /// Looks for what the store's keys do not open, and gives it up, so that the store can be worked at again. How the
    /// origins of assets are asked stays sealed: nothing asks them in another way than the user wanted.
    ///
    /// - Parameter isTrial: whether nothing is changed. Else a copy of the catalog is kept beside it.
    /// - Throws: `storeInUse` while an engine works there.
    public static func giveUp(in root: FilePath, isTrial: Bool) throws(StoreError) -> LostStoreKey {
        let paths = StorePaths(root: root)
        guard paths.isMade else { return LostStoreKey() }
        let lock = try StoreLock(paths.lock)
        defer { lock.release() }
        let catalog = try Catalog(writing: paths.catalog)
        defer { catalog.close() }
        let vaults = try KeyVault.candidates(paths)
        let sealed = try catalog.sealedKeys()
        let keys = sealed.filter { !vaults.open($0) }
        let requests = try catalog.sealedRequests().filter { !vaults.open($0) }
        let lost = LostStoreKey(keys: keys.count, requests: requests.count)
        guard !isTrial else { return lost }
        // Wiped keys can be compared with others only by the key that digested them.
        let forgetsDigests = vaults.isEmpty || (!keys.isEmpty && keys.count == sealed.count)
        if lost != LostStoreKey() { try catalog.copy(to: aside(paths.catalog)) }
        try catalog.giveUp(keys, andDigests: forgetsDigests)
        _ = try catalog.discard(requests.map(\.token), at: SystemWallClock().now) {
            FileSystem.facts(paths.asset($0)) != nil
        }
        try setAside(paths.storeKey)
        return lost
    }

    /// Takes a file away that is no key, in the place of which a new one is made.
    private static func setAside(_ path: FilePath) throws(StoreError) {
        guard KeyVault.path(path) == path, FileSystem.facts(path) != nil,
            (try? KeyVault.existing(path)) == nil
        else { return }
        try FileSystem.rename(path, to: aside(path))
    }

    /// A name beside a file that is not taken.
    private static func aside(_ path: FilePath) -> FilePath {
        let names = (0...).lazy.map { FilePath("\(path).given-up\($0 == 0 ? "" : "-\($0)")") }
        return names.first { !FileSystem.isThere($0) } ?? path
    }
}

extension KeyVault {
    /// The keys that may be a store's: the one that the environment names, and its own file.
    fileprivate static func candidates(_ paths: StorePaths) throws(StoreError) -> [KeyVault] {
        var found: [KeyVault] = []
        for environment in [ProcessInfo.processInfo.environment, [:]] {
            do throws(StoreError) {
                if let vault = try existing(paths.storeKey, environment: environment) { found.append(vault) }
            } catch {
                // What is no key opens nothing.
                guard case .vault = error.code else { throw error }
            }
        }
        return found
    }
}

extension [KeyVault] {
    /// Whether one of them opens something.
    fileprivate func open(_ item: SealedItem) -> Bool { contains { $0.opens(item) } }
}
