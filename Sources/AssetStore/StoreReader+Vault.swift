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

    /// What there is to unseal content keys with.
    func keyOpener() throws(StoreError) -> KeyOpener {
        if let vault { return .vault(vault) }
        let found = (try? KeyVault.existing(paths.storeKey)) ?? nil
        guard engine != nil else { return found.map(KeyOpener.vault) ?? .nothing }
        guard let found, let catalog, try found.opensAny(in: catalog) else { return .engine }
        return .vault(found)
    }

    /// Whether any content key that is stored can be unsealed. An engine has seen to that as it opened the store, and may have
    /// the store's key from where others have it not; else some of them are tried.
    func opensKeys() throws(StoreError) -> Bool {
        guard vault == nil, let catalog, engine == nil else { return true }
        guard let found = (try? KeyVault.existing(paths.storeKey)) ?? nil else {
            return try catalog.sealedSamples().isEmpty
        }
        return try found.opensAny(in: catalog)
    }
}

/// What there is to unseal content keys with.
enum KeyOpener {
    case vault(KeyVault)
    /// The engine that runs has the store's key, from where others have it not.
    case engine
    case nothing

    /// The assets among some that lack a content key which is stored and can't be unsealed.
    func lacking(among tokens: [AssetToken], in catalog: Catalog) throws(StoreError) -> Set<AssetToken> {
        if case .engine = self { return [] }
        let stored = Dictionary(grouping: try catalog.sealedKeys(of: tokens), by: \.token)
        return Set(stored.filter { lacks($0.value) }.keys)
    }

    /// Those of key systems may be missing, as long as there is another one.
    private func lacks(_ stored: [SealedItem]) -> Bool {
        let closed = stored.filter { !opens($0) }
        return closed.count == stored.count || closed.contains { !$0.isBlob }
    }

    private func opens(_ item: SealedItem) -> Bool {
        if case .vault(let vault) = self { vault.opens(item) } else { false }
    }

    /// Whether a key is there, and can be unsealed.
    func opens(_ key: KeyRecord, of token: AssetToken) -> Bool {
        switch self {
        case .vault(let vault): key.opened(by: vault, for: token) != nil
        case .engine: key.sealed != nil
        case .nothing: false
        }
    }
}

extension KeyRecord {
    /// The key in the clear; `nil` when it is not stored, or can't be unsealed.
    func opened(by vault: KeyVault, for token: AssetToken) -> [UInt8]? {
        sealed.flatMap { try? vault.open($0, for: KeyVault.purpose(ofKey: id, token)) }
    }
}
