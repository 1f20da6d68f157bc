package import AssetStore
internal import HLSPlaylist

/// Tokens of assets as users and programs write them.
package enum TokenArgument {
    /// The token that `text` is. What looks like none can't be one of an asset.
    package static func parse(_ text: String) throws(StoreError) -> AssetToken {
        guard let token = AssetToken(text) else {
            // An address may hold a secret.
            let shown = text.contains("://") ? URIReference(text).redacted : text
            throw StoreError(.noSuchAsset(shown.plainLine))
        }
        return token
    }
}
