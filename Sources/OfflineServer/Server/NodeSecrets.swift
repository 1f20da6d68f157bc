package import AssetStore
internal import SystemPackage

/// The secrets that all nodes of a store share: the store key, of which the catalog has a fingerprint, and the API
/// token, which the catalog has sealed with the store key.
package struct NodeSecrets {
    private let paths: StorePaths
    private let catalog: Catalog
    private static let key = "store-key"
    private static let token = "api-token"

    package init(_ paths: StorePaths, _ catalog: Catalog) { (self.paths, self.catalog) = (paths, catalog) }

    /// Compares this node's secrets with those of the store. The first node makes both secrets. A later node must
    /// already have the store key, and gets the API token from the catalog.
    ///
    /// - Throws: `foreignSecret` with the file that differs or is missing.
    package func settle() throws(StoreError) {
        let vault = try vault()
        let path = KeyVault.path(paths.storeKey)
        let print = vault.digest(Array(Self.key.utf8))
        guard try catalog.shared.settle(Self.key, print) == print else {
            throw StoreError(.foreignSecret(path.string))
        }
        try settleToken(vault)
    }

    /// The fingerprint of this node's store key; `nil` without one.
    package static func fingerprint(_ paths: StorePaths) throws(StoreError) -> [UInt8]? {
        try KeyVault.existing(paths.storeKey)?.digest(Array(key.utf8))
    }

    private func vault() throws(StoreError) -> KeyVault {
        if let own = try KeyVault.existing(paths.storeKey) { return own }
        guard try catalog.shared.value(Self.key) == nil else {
            throw StoreError(.foreignSecret(paths.storeKey.string))
        }
        return try KeyVault(paths.storeKey)
    }

    private func settleToken(_ vault: KeyVault) throws(StoreError) {
        let known = try catalog.shared.value(Self.token)
        let own = APIToken.existing(paths.apiToken)
        if known == nil {
            let token = if let own { own } else { try APIToken.read(paths.apiToken) }
            let sealed = try vault.seal(Array(token.utf8), for: Self.token)
            _ = try catalog.shared.settle(Self.token, sealed)
        }
        let shared = try catalog.shared.value(Self.token) ?? []
        let token = String(decoding: try vault.open(shared, for: Self.token), as: UTF8.self)
        guard let own else {
            try DurableWrite.write(Array("\(token)\n".utf8), to: paths.apiToken)
            return
        }
        guard own == token else { throw StoreError(.foreignSecret(paths.apiToken.string)) }
    }
}
