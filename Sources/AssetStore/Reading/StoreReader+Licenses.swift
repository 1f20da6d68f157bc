extension StoreReader {
    /// What has happened to the license of an asset, the latest first; empty when it needs none.
    public func licenseEvents(of token: AssetToken) throws(StoreError) -> [LicenseEvent] {
        try catalog?.licenses.licenseEvents(of: token) ?? []
    }
}
