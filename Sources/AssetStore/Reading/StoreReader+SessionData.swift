extension StoreReader {
    /// Session data of an asset by its number, and whether it is JSON; `nil` without any.
    package func sessionData(
        of token: AssetToken, _ number: Int
    ) throws(StoreError) -> (bytes: [UInt8], isJSON: Bool)? {
        try catalog?.sessionData.item(of: token, number).map { ($0.body, $0.isJSON) }
    }
}
