public import ArgumentParser
public import AssetStore
internal import HLSPlaylist

extension AssetToken: ExpressibleByArgument {
    /// A token as a user types it.
    public init?(argument: String) { self.init(argument) }
}

/// The assets that a command is about.
enum TokenArgument {
    /// The token that `text` is. What looks like none can't be one of an asset.
    static func parse(_ text: String) throws(StoreError) -> AssetToken {
        guard let token = AssetToken(text) else {
            // An address may hold a secret.
            let shown = text.contains("://") ? URIReference(text).redacted : text
            throw StoreError(.noSuchAsset(shown.plainLine))
        }
        return token
    }
}
