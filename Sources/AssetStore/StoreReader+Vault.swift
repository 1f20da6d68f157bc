internal import SystemPackage

extension KeyVault {
    /// The key of a store that has this catalog; made where there is none, and nothing that needs the one there was.
    ///
    /// - Throws: `vault` when it is lost, or another store's.
    static func opened(in paths: StorePaths, for catalog: Catalog?) throws(StoreError) -> KeyVault {
        guard let catalog else { return try KeyVault(paths.storeKey) }
        guard let vault = try existing(paths.storeKey) else {
            guard try !catalog.needsStoreKey() else { throw StoreError(.vault) }
            return try KeyVault(paths.storeKey)
        }
        guard try vault.opensAny(in: catalog) else { throw StoreError(.vault) }
        return vault
    }

    /// Whether it opens something that is sealed, or nothing is. A few are tried first.
    func opensAny(in catalog: Catalog) throws(StoreError) -> Bool {
        let samples = try catalog.sealedSamples()
        if samples.isEmpty || samples.contains(where: opens) { return true }
        return try catalog.sealedKeys().contains(where: opens)
    }

    /// Whether it opens something that was sealed.
    func opens(_ item: SealedItem) -> Bool { (try? open(item.bytes, for: item.purpose)) != nil }
}

extension StoreReader {
    /// The store's key; made where there is none, nothing that needs the one there was, and no engine, which has one.
    func openedVault() throws(StoreError) -> KeyVault {
        if let vault { return vault }
        if engine != nil, try KeyVault.existing(paths.storeKey) == nil {
            throw StoreError(.keyElsewhere(paths.storeKey.string))
        }
        return try KeyVault.opened(in: paths, for: catalog)
    }

    /// Whether content keys that are stored can be unsealed. An engine has seen to that as it opened the store, and may have
    /// the store's key from where others have it not; else some of them are tried.
    func opensKeys() throws(StoreError) -> Bool {
        guard vault == nil, let catalog, engine == nil else { return true }
        guard let found = (try? KeyVault.existing(paths.storeKey)) ?? nil else {
            return try catalog.sealedSamples().isEmpty
        }
        return try found.opensAny(in: catalog)
    }
}
