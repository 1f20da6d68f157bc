package import AssetStore
internal import HLSPlaylist

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
        var tokens: [AssetToken] = []
        for text in texts {
            guard text.hasPrefix(AssetTag.prefix) else {
                tokens.append(try parse(text))
                continue
            }
            let tagged = try reader.viewing.tokens(tagged: String(text.dropFirst(AssetTag.prefix.count)))
            guard !tagged.isEmpty else { throw StoreError(.noSuchAsset(text.plainLine)) }
            let known = Set(tokens)
            tokens += tagged.filter { !known.contains($0) }
        }
        return tokens
    }
}
