internal import SystemPackage

extension StoreReader {
    /// The public key that others seal keys with for this store; the store's key is made if there is none.
    public func publicKey() throws(StoreError) -> StorePublicKey {
        try FileSystem.makeDirectory(paths.root)
        return try openedVault().publicKey
    }

    /// The store's key; made where there is none, nothing that needs the one there was, and no engine, which has one.
    func openedVault() throws(StoreError) -> KeyVault {
        if let vault { return vault }
        if engine != nil, try KeyVault.existing(paths.storeKey) == nil {
            throw StoreError(.keyElsewhere(paths.storeKey.string))
        }
        return try KeyVault.opened(in: paths, for: catalog)
    }

    /// The means to unseal content keys.
    func keyOpener() throws(StoreError) -> KeyOpener {
        if let vault { return .vault(vault) }
        let found = (try? KeyVault.existing(paths.storeKey)) ?? nil
        guard engine != nil else { return found.map(KeyOpener.vault) ?? .nothing }
        guard let found, let catalog, try found.opensAny(in: catalog) else { return .engine }
        return .vault(found)
    }
}
