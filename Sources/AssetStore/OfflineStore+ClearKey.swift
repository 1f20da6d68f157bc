internal import FoundationEssentials
internal import HLSPlaylist
internal import SystemPackage

/// Playlists for players that decrypt samples themselves.
extension OfflineStore {
    /// A media playlist that names the keys of samples by their identifiers, for players that ask the ClearKey license
    /// URL for them (W3C Encrypted Media Extensions); `nil` when there is no such rendition. Blocks.
    ///
    /// - Parameters:
    ///   - view: how to see what is recorded, and where to begin.
    ///   - isAvailableOnly: whether only what is stored is listed.
    package func clearKeyMediaPlaylist(
        _ token: AssetToken, _ rendition: String, _ view: LiveView = LiveView(), isAvailableOnly: Bool = false
    ) throws(StoreError) -> [UInt8]? {
        var view = view
        (view.isForClearKey, view.isClear) = (true, false)
        view.identifiers = Set(try clearKeyIdentifiers(of: token))
        if isAvailableOnly { return try reader.playlists.availableMediaPlaylist(token, rendition, view) }
        if let bytes = try reader.playlists.growingMediaPlaylist(token, rendition, view) { return bytes }
        return try reader.playlists.wholeMediaPlaylist(token, rendition, view)
    }

    /// The identifiers of all keys that are there.
    private func clearKeyIdentifiers(of token: AssetToken) throws(StoreError) -> [[UInt8]] {
        let stored = try catalog.renditions.keys(of: token).filter { $0.sealed != nil && $0.format == nil }
        let names = Set(stored.map(\.id))
        return stored.compactMap(\.identifier)
            + decryptionPlans.identifiers(of: token).filter { names.contains($0.value) }.map(\.key)
    }
}
