package import StoreReading

/// The facts of an asset that was just entered, when it is one of many.
package struct AssetEntry {
    package let token: AssetToken
    /// The server's address, without a slash at the end; `nil` when it is not known.
    package var server: String?
    /// The asset that was made of the same address before.
    package var existing: AssetToken?

    package init(token: AssetToken, server: String? = nil, existing: AssetToken? = nil) {
        (self.token, self.server, self.existing) = (token, server, existing)
    }

    /// The address that players get.
    package var playlistURL: String { "\(server ?? AssetDocument.usualServer)/assets/\(token)/master.m3u8" }

    package var json: JSONValue {
        let entry: JSONValue = ["token": .string(token.description), "playlist_url": .string(playlistURL)]
        return existing == nil ? entry : entry.adding([ExistingAsset.member(existing)])
    }
}
