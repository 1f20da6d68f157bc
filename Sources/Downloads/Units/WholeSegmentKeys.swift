internal import HLSPlaylist
internal import Locking
internal import MediaContainers

/// Finds the keys and vectors of units that are encrypted as a whole, for one asset.
///
/// Keys are unsealed only to check media. A check does not count as a play.
package final class WholeSegmentKeys: Sendable {
    private let token: AssetToken
    private let catalog: Catalog
    private let vault: KeyVault?
    private let plans = Lock<[String: DecryptionPlan]>([:])
    private let ciphers: Lock<[String: ContentCipher]>

    /// Creates the keys of an asset.
    ///
    /// - Parameter given: keys that replace those of the catalog, by name.
    package init(
        _ token: AssetToken, catalog: Catalog, vault: KeyVault?, given: [String: ContentCipher] = [:]
    ) {
        (self.token, self.catalog, self.vault) = (token, catalog, vault)
        ciphers = Lock(given)
    }

    /// The key and vector of a unit; `nil` if it needs none, or if its key is missing.
    package func cipher(of job: UnitJob) throws(StoreError) -> WholeSegmentCipher? {
        guard job.unit.encryption == .blocks, vault != nil, let plan = try plan(of: job),
            let part = plan.part(job.name), part.method.chainsBlocks, let id = part.keyID,
            let cipher = try cipher(id)
        else { return nil }
        return part.iv.count == ContentCipher.blockSize
            ? WholeSegmentCipher(cipher: cipher, iv: part.iv) : nil
    }

    /// The name of the key that a unit is encrypted with; `nil` when it can't be told.
    package func keyID(of job: UnitJob) throws(StoreError) -> String? {
        try plan(of: job)?.part(job.name)?.keyID
    }

    private func plan(of job: UnitJob) throws(StoreError) -> DecryptionPlan? {
        let name = job.rendition.name
        if let known = plans.withLock({ $0[name] }), known.reaches(job.name) { return known }
        guard let source = try catalog.renditions.mediaPlaylist(token, name) else { return nil }
        let keys = ServedKeys(try catalog.renditions.keys(of: token), base: URIReference(source.url))
        let plan = DecryptionPlan(source.playlist, keys: keys)
        plans.withLock { $0[name] = plan }
        return plan
    }

    private func cipher(_ id: String) throws(StoreError) -> ContentCipher? {
        if let known = ciphers.withLock({ $0[id] }) { return known }
        let record = try catalog.renditions.keys(of: token).first { $0.id == id }
        guard let vault, let bytes = record?.opened(by: vault, for: token),
            bytes.count == ContentCipher.blockSize || bytes.count == 32
        else { return nil }
        let cipher = try ContentCipher(bytes)
        ciphers.withLock { $0[id] = cipher }
        return cipher
    }
}
