extension StoreReader {
    /// The events of an asset's license, the latest first; empty when it needs none.
    public func licenseEvents(of token: AssetToken) throws(StoreError) -> [LicenseEvent] {
        try catalog?.licenses.licenseEvents(of: token) ?? []
    }
}
