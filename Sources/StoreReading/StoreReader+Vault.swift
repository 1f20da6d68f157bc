internal import SystemPackage

extension StoreReader {
    /// The public key with which others seal keys for this store; if there is no store key, one is made.
    public func publicKey() throws(StoreError) -> StorePublicKey {
        try FileSystem.makeDirectory(paths.root)
        return try openedVault().publicKey
    }

    /// The vault with the store key. The key is created only if none exists, nothing is sealed and no engine runs.
    func openedVault() throws(StoreError) -> KeyVault {
        if let vault { return vault }
        if engine != nil, try KeyVault.existing(paths.storeKey) == nil {
            throw StoreError(.keyElsewhere(paths.storeKey.string))
        }
        if paths.isOfNode, try KeyVault.existing(paths.storeKey) == nil {
            throw StoreError(.foreignSecret(paths.storeKey.string))
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
