internal import ASCII
internal import HLSPlaylist

extension OfflineStore {
    /// Keeps a key that the user has, under the identifier that the media have for it. If the license was revoked, that is a
    /// new one, unless a key of the asset was fetched: then `renewLicense` asks for it.
    ///
    /// - Parameters:
    ///   - identifier: 16 bytes (KID of ISO/IEC 23001-7).
    ///   - key: 16 bytes.
    /// - Throws: `notAmong` when all media are stored, and have other identifiers.
    public func addKey(_ key: [UInt8], identifier: [UInt8], to token: AssetToken) throws(StoreError) {
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
        try restorePlaylists(token)
        changed(token)
    }

    /// Keeps a key that the user has, by its name among the keys of the asset (`KeyOutline.id`); of a key system, too. If the
    /// license was revoked, that is a new one, unless a key of the asset was fetched.
    ///
    /// - Parameter key: 16 bytes, or 32 for AES-256.
    /// - Throws: `notAmong`, `different` when another key was there before.
    public func addKey(_ key: [UInt8], id: String, to token: AssetToken) throws(StoreError) {
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
        if isPlain, let digest = digest(record, of: token), digest != vault.digest(key),
            try !isReplaceable(record, of: token)
        {
            throw StoreError(.key(.different))
        }
        // Nobody can be asked for one that only a key system could get.
        if let format = record.format, format != KeyRecord.identity, record.system == nil {
            record.identifier = Array(id.utf8)
        }
        record.sealed = try vault.seal(key, for: KeyVault.purpose(ofKey: id, token))
        (record.digest, record.format, record.contentType) = (vault.digest(key), nil, nil)
        try keep(record, of: token)
        try restorePlaylists(token)
        changed(token)
    }

    /// Keeps what a client of a key system deposits in the place of a key, to be handed back as it came. If the license was
    /// revoked, that is a new one, likewise.
    ///
    /// - Returns: whether the asset has a key of a key system by this name.
    public func depositKey(
        _ blob: [UInt8], _ id: String, of token: AssetToken, contentType: String?
    ) throws(StoreError) -> Bool {
        let known = try catalog.renditions.keys(of: token).first { $0.id == id && $0.format != nil }
        guard var record = known, !blob.isEmpty else { return false }
        record.sealed = try vault.seal(blob, for: KeyVault.purpose(ofKey: id, token))
        (record.digest, record.contentType) = (vault.digest(blob), contentType)
        try keep(record, of: token)
        changed(token)
        return true
    }

    private func keep(_ key: KeyRecord, of token: AssetToken) throws(StoreError) {
        let now = clock.now.trusted
        try clock.reach(now)
        try catalog.licenses.setKey(key, of: token, at: now)
    }
}

/// A key of an asset, as others see it; nothing in it is secret.
public struct KeyOutline: Sendable {
    /// Its name in the asset's URLs.
    public var id: String
    /// KEYFORMAT of its key system; `nil` for a key that can be used as it is.
    public var format: String?
    /// The address in the playlist, without query; for a key that was given, its identifier.
    public var place: String
    /// Whether it is there.
    public var isStored: Bool
    /// Whether it is there, and can be unsealed.
    public var isUsable: Bool
}

extension StoreReader {
    /// Whether an asset is of no use without keys: its playlists name some, or its initialization sections tell of encrypted
    /// samples. A key that was given proves nothing.
    public func takesKeys(_ token: AssetToken) throws(StoreError) -> Bool {
        guard let catalog else { return false }
        if try catalog.renditions.keys(of: token).contains(where: { !$0.isOfIdentifier }) { return true }
        let samples = SampleKeys(paths: paths, token: token)
        for row in try catalog.renditions.all(of: [token])[token] ?? [] where row.hasPlaylist {
            if try catalog.units.isEncrypted(rendition: row.id) { return true }
            guard let playlist = try catalog.renditions.mediaPlaylist(token, row.name)?.playlist else {
                continue
            }
            if samples.isEncrypted(row.name, playlist) { return true }
        }
        return false
    }

    /// The key identifiers (KIDs) in the stored media of an asset, in hexadecimal digits.
    public func keyIdentifiers(of token: AssetToken) -> [String] {
        SampleKeys(paths: paths, token: token).identifiers.map { Hexadecimal.text($0) }.sorted()
    }

    /// The keys of an asset.
    public func keyOutlines(of token: AssetToken) throws(StoreError) -> [KeyOutline] {
        let opener = try keyOpener()
        return try (catalog?.renditions.keys(of: token) ?? []).map { key in
            KeyOutline(
                id: key.id, format: key.format, place: key.displayPlace, isStored: key.sealed != nil,
                isUsable: opener.opens(key, of: token))
        }
    }
}
