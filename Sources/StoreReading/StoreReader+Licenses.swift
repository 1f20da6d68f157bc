extension StoreReader {
    /// The events of an asset's license, the latest first; empty if it needs no license.
    public func licenseEvents(of token: AssetToken) throws(StoreError) -> [LicenseEvent] {
        try catalog?.licenses.licenseEvents(of: token) ?? []
    }
}
