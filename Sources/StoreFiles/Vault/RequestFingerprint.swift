extension AssetRequest {
    /// A digest that tells apart two requests with the same client id.
    package func fingerprint(_ vault: KeyVault) throws(StoreError) -> [UInt8] {
        var request = self
        request.clientID = nil
        guard let text = try? JSONText.encode(request) else { throw StoreError(.invalidURL("this")) }
        return vault.digest(Array(text.utf8))
    }
}

extension AssetRecord {
    /// Takes over what a request says of itself.
    package mutating func identify(_ request: AssetRequest, _ vault: KeyVault) throws(StoreError) {
        asked = try? JSONText.encode(request.withoutSecrets)
        clientID = request.clientID
        if clientID != nil { clientDigest = try request.fingerprint(vault) }
    }
}
