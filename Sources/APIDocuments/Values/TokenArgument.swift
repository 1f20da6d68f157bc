internal import HLSPlaylist
package import StoreReading

/// Tokens of assets as users and programs write them.
package enum TokenArgument {
    /// The token in a text. A text that does not look like a token can't name an asset.
    package static func parse(_ text: String) throws(StoreError) -> AssetToken {
        guard let token = AssetToken(text) else {
            // An address may hold a secret.
            let shown = text.contains("://") ? URIReference(text).redacted : text
            throw StoreError(.noSuchAsset(shown.plainLine))
        }
        return token
    }

    /// The tokens that texts name, in order: `tag:WORD` stands for all assets with this tag that were not named
    /// before.
    package static func expand(
        _ texts: [String], _ reader: StoreReader
    ) throws(StoreError) -> [AssetToken] {
        try named(by: texts, reader) { _ throws(StoreError) in }
    }

    /// The tokens that texts name, as `expand` gives them.
    ///
    /// - Throws: `noSuchAsset` if one of the assets does not exist.
    package static func existing(
        _ texts: [String], _ reader: StoreReader
    ) throws(StoreError) -> [AssetToken] {
        try named(by: texts, reader) { token throws(StoreError) in _ = try reader.requireProgress(of: token) }
    }

    /// - Parameter check: checks each token that is written out. It is not called for assets that a tag stands for.
    private static func named(
        by texts: [String], _ reader: StoreReader, check: (AssetToken) throws(StoreError) -> Void
    ) throws(StoreError) -> [AssetToken] {
        var (tokens, seen): ([AssetToken], Set<AssetToken>) = ([], [])
        for text in texts {
            guard text.hasPrefix(AssetTag.prefix) else {
                let token = try parse(text)
                try check(token)
                seen.insert(token)
                tokens.append(token)
                continue
            }
            let tagged = try reader.viewing.tokens(tagged: String(text.dropFirst(AssetTag.prefix.count)))
            guard !tagged.isEmpty else { throw StoreError(.noSuchAsset(text.plainLine)) }
            tokens += tagged.filter { seen.insert($0).inserted }
        }
        return tokens
    }
}
