internal import ASCII
internal import HLSPlaylist

/// The public facts of an asset's key, without secrets.
public struct KeyOutline: Sendable {
    /// The key's name in the asset's URLs.
    public var id: String
    /// KEYFORMAT of its key system; `nil` for a key that players can use directly.
    public var format: String?
    /// The address in the playlist, without query; for a key that was given, its identifier.
    public var place: String
    /// Whether it is stored.
    public var isStored: Bool
    /// Whether it is stored and can be unsealed.
    public var isUsable: Bool
}

extension StoreReader {
    /// Whether an asset is useless without keys: its playlists name some, or its initialization sections describe
    /// encrypted samples. An added key proves nothing.
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
