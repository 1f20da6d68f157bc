package import APIDocuments
package import AssetStore

extension KeyPair {
    /// Keeps the key in an asset.
    package func add(to token: AssetToken, in store: OfflineStore) throws(StoreError) {
        switch name {
        case .identifier(let identifier): try store.licenses.addKey(key, identifier: identifier, to: token)
        case .id(let id): try store.licenses.addKey(key, id: id, to: token)
        }
    }
}
