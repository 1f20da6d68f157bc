internal import ASCII
internal import HLSPlaylist

extension LicenseOffice {
    /// Stores a key of the user under the identifier that the media have for it. If the license was revoked, this
    /// grants a new one, unless a key of the asset was fetched: then `renew` fetches it again.
    ///
    /// - Parameters:
    ///   - identifier: 16 bytes (KID of ISO/IEC 23001-7).
    ///   - key: 16 bytes.
    /// - Throws: `notAmong` if the asset is complete and its media have other identifiers; `length` if the key does
    ///   not have 16 bytes.
    package func addKey(_ key: [UInt8], identifier: [UInt8], to token: AssetToken) throws(StoreError) {
        guard let asset = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        let known = asset.state == .complete ? SampleKeys(paths: paths, token: token).identifiers : []
        guard known.isEmpty || known.contains(identifier) else {
            throw StoreError(.key(.notAmong(known.map { Hexadecimal.text($0) }.sorted())))
        }
        guard key.count == 16 else { throw StoreError(.key(.length(key.count))) }
        let name = Hexadecimal.text(identifier)
        let id = "id-\(name)"
        let sealed = try vault.seal(key, for: KeyVault.purpose(ofKey: id, token))
        let record = KeyRecord(
            id: id, url: "kid:\(name)", sealed: sealed, digest: vault.digest(key), identifier: identifier)
        try keep(record, of: token)
        _ = try BundlePlaylists(catalog: catalog, paths: paths, token: token).restore()
        notices.changed(token)
    }

    /// Stores a key of the user by its name among the keys of the asset (`KeyOutline.id`), also for a key system. If
    /// the license was revoked, this grants a new one, unless a key of the asset was fetched.
    ///
    /// - Parameter key: 16 bytes, or 32 for AES-256.
    /// - Throws: `notAmong` if the asset has no key of this name; `length`; `different` if a fetched key with other
    ///   bytes decrypts stored media, or if stored media do not decrypt with this key.
    package func addKey(_ key: [UInt8], id: String, to token: AssetToken) throws(StoreError) {
        guard try catalog.assets.asset(token) != nil else {
            throw StoreError(.noSuchAsset(token.description))
        }
        let known = try catalog.renditions.keys(of: token)
        guard var record = known.first(where: { $0.id == id }) else {
            throw StoreError(.key(.notAmong(known.filter { !$0.isOfIdentifier }.map(\.id))))
        }
        if let identifier = record.identifier, record.isOfIdentifier {
            return try addKey(key, identifier: identifier, to: token)
        }
        let method = record.method.map { EncryptionKey.Method($0) } ?? .aes128
        guard key.count == method.keyLength else { throw StoreError(.key(.length(key.count))) }
        let isPlain = record.format == nil && !record.isGivenByName
        if isPlain, let digest = sources.digest(record, of: token), digest != vault.digest(key),
            try !sources.isReplaceable(record, of: token)
        {
            throw StoreError(.key(.different))
        }
        guard try sources.mayOpen(key, record, of: token) else { throw StoreError(.key(.different)) }
        // A key of a key system can't be fetched again.
        if let format = record.format, format != KeyRecord.identity, record.system == nil {
            record.identifier = Array(id.utf8)
        }
        record.sealed = try vault.seal(key, for: KeyVault.purpose(ofKey: id, token))
        (record.digest, record.format, record.contentType) = (vault.digest(key), nil, nil)
        try keep(record, of: token)
        _ = try BundlePlaylists(catalog: catalog, paths: paths, token: token).restore()
        notices.changed(token)
    }

    /// Stores the data that a client of a key system deposits in place of a key; players get them back unchanged. If
    /// the license was revoked, this grants a new one, unless a key of the asset was fetched.
    ///
    /// - Returns: whether the asset has a key of a key system by this name.
    package func depositKey(
        _ blob: [UInt8], _ id: String, of token: AssetToken, contentType: String?
    ) throws(StoreError) -> Bool {
        let known = try catalog.renditions.keys(of: token).first { $0.id == id && $0.format != nil }
        guard var record = known, !blob.isEmpty else { return false }
        record.sealed = try vault.seal(blob, for: KeyVault.purpose(ofKey: id, token))
        (record.digest, record.contentType) = (vault.digest(blob), contentType)
        try keep(record, of: token)
        notices.changed(token)
        return true
    }

    private func keep(_ key: KeyRecord, of token: AssetToken) throws(StoreError) {
        let now = clock.now.trusted
        try clock.reach(now)
        try catalog.licenses.setKey(key, of: token, at: now)
    }
}
