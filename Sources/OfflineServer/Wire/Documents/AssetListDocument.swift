internal import AssetStore

/// A page of the list of assets: the answer of the API, and the beginning that the library's page brings with it.
struct AssetListDocument {
    let assets: [Asset]
    /// The server's address for the reader, without a slash at the end.
    let server: String
    /// The current work on assets that are not complete.
    let live: [AssetToken: LiveFigures]
    /// The last asset of the page when older ones may follow.
    let next: AssetToken?
    /// The newest event before the assets were read.
    let lastEvent: Int64

    /// - Parameter isShort: whether each asset is its summary.
    func json(isShort: Bool) -> JSONValue {
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
