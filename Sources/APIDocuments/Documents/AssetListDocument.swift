package import StoreReading

/// A page of the list of assets: the answer of the API, and the beginning that the library's page brings with it.
package struct AssetListDocument {
    package let assets: [Asset]
    /// The server's address for the reader, without a slash at the end.
    private let server: String
    /// The current work on assets that are not complete.
    private let live: [AssetToken: LiveFigures]
    /// The last asset of the page when older ones may follow.
    package let next: AssetToken?
    /// The newest event before the assets were read.
    private let lastEvent: Int64

    /// Creates a page from its properties.
    package init(
        assets: [Asset], server: String, live: [AssetToken: LiveFigures], next: AssetToken?, lastEvent: Int64
    ) {
        (self.assets, self.server, self.live) = (assets, server, live)
        (self.next, self.lastEvent) = (next, lastEvent)
    }

    /// - Parameter isShort: whether each asset is its summary.
    package func json(isShort: Bool) -> JSONValue {
        let documents = assets.map { asset -> JSONValue in
            let document = AssetDocument(
                asset: asset, server: server, live: .of(asset, known: live[asset.token]))
            return isShort ? document.summary : document.json
        }
        return [
            "assets": .array(documents), "next": JSONValue(next?.description),
            "last_event": .integer(lastEvent),
        ]
    }
}
