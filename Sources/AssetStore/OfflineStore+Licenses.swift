internal import HLSPlaylist

extension OfflineStore {
    /// Asks the provider of an asset's keys for them again and grants a new license: nothing of the media is
    /// fetched. What was wiped or never had is there afterwards. Where all keys were given or deposited, there is nobody to
    /// ask: they stay as they are.
    ///
    /// - Parameters:
    ///   - terms: the new terms; those of the license before when `nil`.
    ///   - url: a fresh address of the same stream, when the old one has lapsed. It is accepted when its keys
    ///     are those that the stored media are encrypted with.
    ///   - edit: how the origin is asked from now on; it stays as it was when there is no new license.
    /// - Throws: what the provider answers, or `nobodyToAsk` when a key that was given is not there or can't be unsealed, or
    ///   the license ends and came with a folder from another store; the license is then as it was.
    public func renewLicense(
        of token: AssetToken, _ terms: LicenseTerms? = nil, via url: String? = nil,
        _ edit: AccessEdit = AccessEdit()
    ) async throws(StoreError) {
        guard let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard try catalog.licenses.license(of: token) != nil else { throw StoreError(.notEncrypted(token)) }
        let keys: [KeyRecord]
        do throws(StoreError) {
            keys = try await KeyRenewal(store: self, record: record, via: url, edit: edit).fetch()
        } catch {
            throw error.at(.renewal)
        }
        // Without a provider, nobody has told what time it is.
        let now = try keys.isEmpty ? clock.now.trusted : confirmTime()
        try clock.reach(now)
        try catalog.licenses.changeLicense(of: token, .renewed, at: now, keys: keys) { license in
            license.renewed(terms ?? license.terms, at: now)
        }
        try setAccess(of: record, edit)
        changed(token)
    }

    /// Wipes the keys of an asset and keeps its media. A license that is revoked already stays so.
    public func revokeLicense(of token: AssetToken) throws(StoreError) {
        guard try catalog.assets.asset(token) != nil else {
            throw StoreError(.noSuchAsset(token.description))
        }
        let now = clock.now.trusted
        var wiped = try catalog.renditions.keys(of: token)
        for index in wiped.indices {
            wiped[index].digest = digest(wiped[index], of: token)
            wiped[index].sealed = nil
        }
        try catalog.licenses.changeLicense(of: token, .revoked, at: now, keys: wiped) { $0.revoked(at: now) }
        catalog.forgetErased()
        changed(token)
    }

    /// Confirms the time: the owner who gave keys has done so.
    func confirmTime() throws(StoreError) -> Timestamp {
        let now = try clock.confirm()
        keys.forgetAll()
        return now
    }

    /// Grants the first license of an asset, before the rest of it is entered.
    func grant(_ license: License, to token: AssetToken) throws(StoreError) {
        try clock.store()
        try catalog.licenses.insert(license, of: token)
    }
}

extension StoreReader {
    /// The events of an asset's license, the latest first; empty when it needs none.
    public func licenseEvents(of token: AssetToken) throws(StoreError) -> [LicenseEvent] {
        try catalog?.licenses.licenseEvents(of: token) ?? []
    }
}
