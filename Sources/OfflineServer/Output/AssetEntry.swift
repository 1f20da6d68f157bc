internal import AssetStore

/// What is known of an asset that was just entered, when it is one of many.
struct AssetEntry {
    let token: AssetToken
    /// Where the server answers, without a slash at the end; `nil` when it is not known.
    var server: String?
    /// The asset that was made of the same address before.
    var existing: AssetToken?

    /// The address that players get.
    var playlistURL: String { "\(server ?? AssetDocument.usualServer)/assets/\(token)/master.m3u8" }

    var json: JSONValue {
        let entry: JSONValue = ["token": .string(token.description), "playlist_url": .string(playlistURL)]
        return existing == nil ? entry : entry.adding([ExistingAsset.member(existing)])
    }
}
