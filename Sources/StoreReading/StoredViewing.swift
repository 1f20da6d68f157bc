/// The tags and plays of assets, and the search in names, tags and subtitles.
package struct StoredViewing: ReaderRole {
    let reader: StoreReader

    /// The assets that have a tag, the oldest first.
    package func tokens(tagged tag: String) throws(StoreError) -> [AssetToken] {
        try catalog?.viewing.tokens(tagged: tag) ?? []
    }

    /// The plays of an asset, the latest first.
    package func plays(of token: AssetToken, limit: Int) throws(StoreError) -> [PlayRecord] {
        _ = try reader.requireProgress(of: token)
        return try catalog?.viewing.plays(of: token, limit: limit) ?? []
    }

    /// Cues in the index that contain a text.
    package func cues(containing text: String, limit: Int) throws(StoreError) -> [FoundCue] {
        try catalog?.cues.find(text, limit: limit) ?? []
    }

    /// Assets whose name or one of whose tags contains a text.
    package func assets(
        named text: String, limit: Int
    ) throws(StoreError) -> [(token: AssetToken, name: String, tags: [String])] {
        try catalog?.cues.findAssets(text, limit: limit) ?? []
    }
}
