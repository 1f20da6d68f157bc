internal import HLSPlaylist
internal import SystemPackage

/// Those who are asked for the keys of an asset, and how a key is told from others.
struct KeySources: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault
    let context: EngineParts
    let providers: KeyProviders

    /// The digest that tells a key from others; `nil` when the key was never had, or can't be unsealed: then its
    /// digest was made with another store's key, too.
    func digest(_ key: KeyRecord, of token: AssetToken) -> [UInt8]? {
        guard key.sealed != nil else { return key.digest }
        return key.opened(by: vault, for: token).map { key.digest ?? vault.digest($0) }
    }

    /// Whether another key may take the place of one: no stored unit that is encrypted with it decrypts. What nobody can
    /// decrypt here speaks for the key that there is.
    func isReplaceable(_ key: KeyRecord, of token: AssetToken) throws(StoreError) -> Bool {
        let keys = WholeSegmentKeys(token, catalog: catalog, vault: vault)
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] {
            for unit in try catalog.units.all(of: rendition.id, states: [.stored])
            where unit.encryption != .none {
                let job = UnitJob(unit: unit, rendition: rendition)
                if let id = try keys.keyID(of: job), id != key.id { continue }
                guard let cipher = try keys.cipher(of: job) else { return false }
                let path = paths.rendition(token, rendition.name).appending(job.fileName)
                // What is gone speaks for no key.
                guard !FileSystem.isAbsent(path) else { continue }
                guard try UnitInspector(job, cipher: cipher).finding(in: path) == .undecodable else {
                    return false
                }
            }
        }
        return true
    }
}
