public import SystemPackage

/// What the store's key does not open, when the right one is lost for good.
public struct LostStoreKey: Sendable, Equatable {
    /// Content keys; `license renew` gets them again where their origin still gives them.
    public var keys = 0
    /// Requests that were waiting to be looked into; their assets have nothing yet, and go.
    public var requests = 0
    /// Assets with header fields or cookies, which `relink` gives them again.
    public var accesses = 0

    /// Looks for what the store's key does not open, and gives it up, so that the store can be worked at again.
    ///
    /// - Parameter isTrial: whether nothing is changed.
    /// - Throws: `storeInUse` while an engine works there.
    public static func giveUp(in root: FilePath, isTrial: Bool) throws(StoreError) -> LostStoreKey {
        let paths = StorePaths(root: root)
        guard paths.isMade else { return LostStoreKey() }
        let lock = try StoreLock(paths.lock)
        defer { lock.release() }
        let vault = try usable(paths, isTrial: isTrial)
        let catalog = try Catalog(writing: paths.catalog)
        defer { catalog.close() }
        return try catalog.giveUp(isTrial: isTrial) { vault?.opens($0) ?? false }
    }

    /// The store's key, if there is one. What is none is set aside.
    private static func usable(_ paths: StorePaths, isTrial: Bool) throws(StoreError) -> KeyVault? {
        do throws(StoreError) {
            return try KeyVault.existing(paths.storeKey)
        } catch {
            guard case .vault = error.code, KeyVault.path(paths.storeKey) == paths.storeKey else {
                throw error
            }
            let aside = FilePath(paths.storeKey.string + ".unusable")
            if !isTrial { try FileSystem.rename(paths.storeKey, to: aside) }
            return nil
        }
    }
}
