internal import HLSPlaylist

/// Grants, renews and revokes the licenses of assets, and keeps their keys.
package struct LicenseOffice: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault
    let clock: TrustedClock
    let keys: KeyDesk
    let sources: KeySources
    let notices: ChangeNotices

    /// Asks the provider for an asset's keys again and grants a new license. No media are fetched. Keys that were
    /// wiped or missing are stored afterwards. Keys that were all added or deposited stay as they are: there is no
    /// provider to ask.
    ///
    /// - Parameters:
    ///   - terms: the new terms; `nil` keeps the present ones.
    ///   - url: a fresh address of the same stream, if the old one has lapsed. It is accepted if its keys fit the
    ///     stored media.
    ///   - edit: changes of the access to the origin; they are kept only if there is a new license.
    /// - Throws: the provider's error; `nobodyToAsk` if an added key is missing or can't be unsealed, or if the
    ///   license ends and came with a folder from another store. The license stays as it was.
    package func renew(
        _ token: AssetToken, terms: LicenseTerms? = nil, via url: String? = nil,
        access edit: AccessEdit = AccessEdit()
    ) async throws(StoreError) {
        guard let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard try catalog.licenses.license(of: token) != nil else { throw StoreError(.notEncrypted(token)) }
        let keys: [KeyRecord]
        do throws(StoreError) {
            keys = try await KeyRenewal(sources: sources, record: record, via: url, edit: edit).fetch()
        } catch {
            throw error.at(.renewal)
        }
        // Only a provider's answer confirms the time. If no key was fetched, the trusted time is used.
        let now = try keys.isEmpty ? clock.now.trusted : confirmTime()
        try clock.reach(now)
        try catalog.licenses.changeLicense(of: token, .renewed, at: now, keys: keys) { license in
            license.renewed(terms ?? license.terms, at: now)
        }
        try vault.setAccess(of: record, edit, in: catalog)
        notices.changed(token)
    }

    /// Wipes the keys of an asset and keeps its media. Revoking a revoked license changes nothing.
    package func revoke(_ token: AssetToken) throws(StoreError) {
        guard try catalog.assets.asset(token) != nil else {
            throw StoreError(.noSuchAsset(token.description))
        }
        let now = clock.now.trusted
        var wiped = try catalog.renditions.keys(of: token)
        for index in wiped.indices {
            wiped[index].digest = sources.digest(wiped[index], of: token)
            wiped[index].sealed = nil
        }
        try catalog.licenses.changeLicense(of: token, .revoked, at: now, keys: wiped) { $0.revoked(at: now) }
        catalog.forgetErased()
        notices.changed(token)
    }

    /// Confirms the time of the system's clock, since a provider has just given keys. The license counts from this
    /// time.
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

    /// Fetches the keys of an asset again if the asset failed because its decrypted bytes were no media. The provider
    /// may have other keys by now. If it does not answer, the stored keys stay.
    func refetchWrongKeys(of token: AssetToken) async {
        guard let record = try? catalog.assets.asset(token), record.state == .failed,
            record.error?.errorClass == ErrorClass.integrity.rawValue,
            let known = try? catalog.renditions.keys(of: token).filter(\.isFetched), !known.isEmpty
        else { return }
        let renewal = KeyRenewal(sources: sources, record: record, via: nil, tries: 1)
        guard let keys = try? await renewal.fetch() else { return }
        let isNews = keys.contains { fresh in
            known.contains { $0.id == fresh.id && sources.digest($0, of: token) != fresh.digest }
        }
        guard isNews else { return }
        try? catalog.licenses.changeLicense(of: token, .keysRenewed, at: clock.now.trusted, keys: keys) { $0 }
        notices.changed(token)
    }
}
