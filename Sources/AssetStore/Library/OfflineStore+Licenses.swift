/// The licenses and keys of assets.
extension OfflineStore {
    /// Asks for the content keys of an asset again and grants a new license. No media are fetched. Keys that were wiped
    /// or missing are stored afterwards. Keys that the user added or a client deposited stay as they are, since no
    /// provider can be asked for them.
    ///
    /// - Parameters:
    ///   - token: the asset whose license is renewed.
    ///   - terms: the new terms; `nil` keeps those of the old license.
    ///   - url: a fresh address of the same stream, when the old one has lapsed. It is accepted if its content keys fit
    ///     the stored media.
    ///   - edit: a change of headers, cookies and other access settings. It is kept only if a new license is granted.
    /// - Throws: the provider's error; `nobodyToAsk` when an added key is missing or can't be unsealed, or when the
    ///   license has an end and was imported from another store. The license stays as it was.
    public func renewLicense(
        of token: AssetToken, _ terms: LicenseTerms? = nil, via url: String? = nil,
        _ edit: AccessEdit = AccessEdit()
    ) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try await licenses.renew(token, terms: terms, via: url, access: edit)
        }
    }

    /// Wipes the content keys of an asset at once and keeps its media. Revoking a revoked license changes nothing.
    public func revokeLicense(of token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try licenses.revoke(token)
        }
    }

    /// Adds a content key under its key identifier (KID). If the license was revoked, this grants a new one, unless
    /// keys of the asset were fetched: then call `renewLicense`.
    ///
    /// - Parameters:
    ///   - identifier: 16 bytes (KID of ISO/IEC 23001-7).
    ///   - key: 16 bytes.
    ///   - token: the asset that gets the key.
    /// - Throws: `notAmong` when the asset is complete and none of its media has this identifier; `length` when the
    ///   key does not have 16 bytes.
    public func addKey(
        _ key: [UInt8], identifier: [UInt8], to token: AssetToken
    ) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try licenses.addKey(key, identifier: identifier, to: token)
        }
    }

    /// Adds a content key by its name in the asset (`KeyOutline.id`). This also works for keys of a key system. If the
    /// license was revoked, this grants a new one, unless keys of the asset were fetched: then call `renewLicense`.
    ///
    /// - Parameters:
    ///   - key: 16 bytes, or 32 for AES-256.
    ///   - id: its name in the asset.
    ///   - token: the asset that gets the key.
    /// - Throws: `notAmong` when the asset has no key of this name; `length` when the key has a wrong length;
    ///   `different` when a fetched key with other bytes decrypts stored media, or when stored media do not decrypt
    ///   with this key.
    public func addKey(_ key: [UInt8], id: String, to token: AssetToken) async throws(StoreError) {
        try await Self.onOwnThread { () throws(StoreError) in
            try licenses.addKey(key, id: id, to: token)
        }
    }

    /// Stores the answer of a key system's license server in the place of a content key. Players get these bytes back
    /// unchanged. If the license was revoked, this grants a new one, unless keys of the asset were fetched.
    ///
    /// - Returns: whether the asset has a key of a key system with this name. If not, nothing was stored.
    public func depositKey(
        _ blob: [UInt8], _ id: String, of token: AssetToken, contentType: String?
    ) async throws(StoreError) -> Bool {
        try await Self.onOwnThread { () throws(StoreError) in
            try licenses.depositKey(blob, id, of: token, contentType: contentType)
        }
    }
}
