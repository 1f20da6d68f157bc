internal import Locking
internal import SystemPackage

extension KeyVault {
    /// The key of the store with this catalog. The key is made only if none exists and nothing is sealed.
    ///
    /// - Throws: `vault` if it is lost, or belongs to another store.
    package static func opened(in paths: StorePaths, for catalog: Catalog?) throws(StoreError) -> KeyVault {
        guard let catalog else { return try KeyVault(paths.storeKey) }
        guard let vault = try existing(paths.storeKey) else {
            guard try !catalog.sealed.needsStoreKey() else { throw StoreError(.vault) }
            return try KeyVault(paths.storeKey)
        }
        guard try vault.opensAny(in: catalog) else { throw StoreError(.vault) }
        return vault
    }

    /// Whether it opens some sealed item, or nothing is sealed. A few items are tried first.
    package func opensAny(in catalog: Catalog) throws(StoreError) -> Bool {
        let samples = try catalog.sealed.sealedSamples()
        if samples.isEmpty || samples.contains(where: opens) { return true }
        return try catalog.sealed.sealedKeys().contains(where: opens)
    }

    /// Whether it opens a sealed item.
    package func opens(_ item: SealedItem) -> Bool { (try? open(item.bytes, for: item.purpose)) != nil }
}

/// The means to unseal content keys.
package enum KeyOpener: Sendable {
    case vault(KeyVault)
    /// The engine that runs has the store's key, from where others have it not.
    case engine
    case nothing

    /// The assets among these that lack a content key: it is not stored, or can't be unsealed.
    ///
    /// - Returns: the number of missing keys of each asset; assets without missing keys are left out.
    package func lacking(
        among tokens: [AssetToken], in catalog: Catalog
    ) throws(StoreError) -> [AssetToken: Int] {
        lacking(try catalog.sealed.contentKeys(of: tokens), in: catalog)
    }

    /// The number of these content keys that each asset lacks; assets without missing keys are left out.
    func lacking(_ keys: [SealedItem], in catalog: Catalog) -> [AssetToken: Int] {
        let keys = Dictionary(grouping: keys, by: \.token)
        return keys.filter { token, keys in lacks(keys) { catalog.keyIdentifiers.withLock(\.self)(token) } }
            .mapValues { keys in keys.count { !opens($0) } }
    }

    /// Whether keys are missing. Keys of key systems may be missing if another key opens the same media.
    ///
    /// - Parameter identifiers: the key IDs in the media.
    private func lacks(_ keys: [SealedItem], _ identifiers: () -> Set<[UInt8]>) -> Bool {
        let closed = keys.filter { !opens($0) }
        guard !closed.isEmpty, !closed.contains(where: { !$0.isBlob }) else { return !closed.isEmpty }
        let open = keys.filter(opens)
        guard open.allSatisfy({ $0.identifier != nil }) else { return false }
        // A key that was given counts for the media that have it, and for no others.
        let given = Set(open.compactMap(\.identifier))
        guard !given.isEmpty else { return true }
        let wanted = identifiers()
        return wanted.isEmpty || !wanted.isSubset(of: given)
    }

    private func opens(_ item: SealedItem) -> Bool {
        switch self {
        case .vault(let vault): vault.opens(item)
        case .engine: !item.bytes.isEmpty
        case .nothing: false
        }
    }

    /// Whether some sealed item can be unsealed, or nothing is sealed.
    package func opensAny(in catalog: Catalog) throws(StoreError) -> Bool {
        switch self {
        case .vault(let vault): try vault.opensAny(in: catalog)
        case .engine: true
        case .nothing: try catalog.sealed.sealedSamples().isEmpty
        }
    }

    /// Whether a key is stored and can be unsealed.
    package func opens(_ key: KeyRecord, of token: AssetToken) -> Bool {
        switch self {
        case .vault(let vault): key.opened(by: vault, for: token) != nil
        case .engine: key.sealed != nil
        case .nothing: false
        }
    }
}

extension KeyRecord {
    /// The key in the clear; `nil` when it is not stored, or can't be unsealed.
    package func opened(by vault: KeyVault, for token: AssetToken) -> [UInt8]? {
        sealed.flatMap { try? vault.open($0, for: KeyVault.purpose(ofKey: id, token)) }
    }
}

extension KeyVault {
    package func setAccess(
        of record: AssetRecord, _ edit: AccessEdit, in catalog: Catalog
    ) throws(StoreError) {
        guard !edit.isEmpty else { return }
        let token = record.token
        var access = try access(of: record)
        access.apply(edit)
        var waiting: [UInt8]?
        if let sealed = try catalog.queue.request(of: token) {
            var request = try request(sealed, token)
            request.access.apply(edit)
            waiting = try self.sealed(request, token)
        }
        try catalog.addresses.setAccess(of: token, try self.sealed(access, token), request: waiting)
    }
}
