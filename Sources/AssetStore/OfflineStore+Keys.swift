internal import ASCII
internal import HLSPlaylist

extension OfflineStore {
    /// Keeps a key that the user has, under the identifier that the media have for it. If the license was revoked, that is a
    /// new one, unless a key of the asset was fetched: then `renewLicense` asks for it.
    ///
    /// - Parameters:
    ///   - identifier: 16 bytes (KID of ISO/IEC 23001-7).
    ///   - key: 16 bytes.
    public func addKey(_ key: [UInt8], identifier: [UInt8], to token: AssetToken) throws(StoreError) {
        guard try catalog.assets.asset(token) != nil else {
            throw StoreError(.noSuchAsset(token.description))
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
    /// Where the playlist says that it is, without query; for a key that was given, its identifier.
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
        if try catalog.renditions.keys(of: token).contains(where: { $0.identifier == nil }) { return true }
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
