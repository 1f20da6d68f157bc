internal import HLSPlaylist
internal import MediaDecryption
internal import SystemPackage

/// Keys with which nothing that is stored can be decrypted: the origin gave wrong ones, and may give others by now.
extension OfflineStore {
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

    /// Asks once more for the keys of an asset that failed because of what came: with other keys, it may be media. Where
    /// nobody answers, the keys stay as they are.
    func refetchWrongKeys(of token: AssetToken) async {
        guard let record = try? catalog.assets.asset(token), record.state == .failed,
            record.error?.errorClass == ErrorClass.integrity.rawValue,
            let known = try? catalog.renditions.keys(of: token).filter(\.isFetched), !known.isEmpty
        else { return }
        let renewal = KeyRenewal(store: self, record: record, via: nil, tries: 1)
        guard let keys = try? await renewal.fetch() else { return }
        let isNews = keys.contains { fresh in
            known.contains { $0.id == fresh.id && digest($0, of: token) != fresh.digest }
        }
        guard isNews else { return }
        try? catalog.licenses.changeLicense(of: token, .keysRenewed, at: clock.now.trusted, keys: keys) { $0 }
        changed(token)
    }
}
