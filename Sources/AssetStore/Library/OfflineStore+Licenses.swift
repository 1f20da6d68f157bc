/// The licenses and keys of assets.
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
        try await Self.onOwnThread { () throws(StoreError) in
            try await licenses.renew(token, terms, via: url, edit)
        }
    }

    /// Wipes the keys of an asset and keeps its media. A license that is revoked already stays so.
    public func revokeLicense(of token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try licenses.revoke(token)
        }
    }

    /// Keeps a key that the user has, under the identifier that the media have for it. If the license was revoked, that is a
    /// new one, unless a key of the asset was fetched: then `renewLicense` asks for it.
    ///
    /// - Parameters:
    ///   - identifier: 16 bytes (KID of ISO/IEC 23001-7).
    ///   - key: 16 bytes.
    /// - Throws: `notAmong` when all media are stored, and have other identifiers.
    public func addKey(
        _ key: [UInt8], identifier: [UInt8], to token: AssetToken
    ) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try licenses.addKey(key, identifier: identifier, to: token)
        }
    }

    /// Keeps a key that the user has, by its name among the keys of the asset (`KeyOutline.id`); of a key system, too. If the
    /// license was revoked, that is a new one, unless a key of the asset was fetched.
    ///
    /// - Parameter key: 16 bytes, or 32 for AES-256.
    /// - Throws: `notAmong`, `different` when another key was there before.
    public func addKey(_ key: [UInt8], id: String, to token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try licenses.addKey(key, id: id, to: token)
        }
    }

    /// Keeps what a client of a key system deposits in the place of a key, to be handed back as it came. If the license was
    /// revoked, that is a new one, likewise.
    ///
    /// - Returns: whether the asset has a key of a key system by this name.
    public func depositKey(
        _ blob: [UInt8], _ id: String, of token: AssetToken, contentType: String?
    ) async throws(StoreError) -> Bool {
        try await Self.onOwnThread { () throws(StoreError) in
            try licenses.depositKey(blob, id, of: token, contentType: contentType)
        }
    }
}
