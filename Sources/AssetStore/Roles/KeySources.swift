internal import HLSPlaylist
internal import SystemPackage

/// The services that an asset gets its keys from, and the comparison of keys.
struct KeySources: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault
    let context: EngineParts
    let providers: KeyProviders

    /// The digest that identifies a key; `nil` if there is none, or if the key can't be unsealed. Then its digest was
    /// made with another store key and can't be compared.
    func digest(_ key: KeyRecord, of token: AssetToken) -> [UInt8]? {
        guard key.sealed != nil else { return key.digest }
        return key.opened(by: vault, for: token).map { key.digest ?? vault.digest($0) }
    }

    /// The number of stored units that a given key is tried with.
    private static let tried = 3

    /// Whether an added key may be the key of the stored media: at least one of the first units that are encrypted
    /// with it decrypts to bytes that a player can decode. Without such a unit, any key is accepted.
    ///
    /// - Parameter bytes: the content key.
    func mayOpen(_ bytes: [UInt8], _ key: KeyRecord, of token: AssetToken) throws(StoreError) -> Bool {
        let cipher = try ContentCipher(bytes)
        let keys = WholeSegmentKeys(token, catalog: catalog, vault: vault, given: [key.id: cipher])
        var failed = 0
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] {
            for unit in try catalog.units.all(of: rendition.id, states: [.stored])
            where unit.encryption == .blocks {
                let job = UnitJob(unit: unit, rendition: rendition)
                guard try keys.keyID(of: job) == key.id, let cipher = try keys.cipher(of: job) else {
                    continue
                }
                let path = paths.rendition(token, rendition.name).appending(job.fileName)
                guard !FileSystem.isAbsent(path) else { continue }
                guard try UnitInspector(job, cipher: cipher).finding(in: path) == .undecodable else {
                    return true
                }
                failed += 1
                guard failed < Self.tried else { return false }
            }
        }
        return failed == 0
    }

    /// Whether a key may be replaced: none of the stored units decrypts with it. A unit that this program can't
    /// decrypt counts as one that decrypts, so the key is kept.
    func isReplaceable(_ key: KeyRecord, of token: AssetToken) throws(StoreError) -> Bool {
        let keys = WholeSegmentKeys(token, catalog: catalog, vault: vault)
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] {
            for unit in try catalog.units.all(of: rendition.id, states: [.stored])
            where unit.encryption != .none {
                let job = UnitJob(unit: unit, rendition: rendition)
                if let id = try keys.keyID(of: job), id != key.id { continue }
                guard let cipher = try keys.cipher(of: job) else { return false }
                let path = try paths.file(of: job.id, token, named: job.fileName)
                // A missing file counts for nothing.
                guard !FileSystem.isAbsent(path) else { continue }
                guard try UnitInspector(job, cipher: cipher).finding(in: path) == .undecodable else {
                    return false
                }
            }
        }
        return true
    }
}
