extension OfflineStore {
    /// Follows the store.
    ///
    /// - Parameter id: the last event that is known already; `nil` begins with the next one, 0 with the oldest
    ///   one that is kept.
    public func updates(since id: Int64? = nil) -> AssetUpdates {
        ticker.start()
        return AssetUpdates(catalog: catalog, since: id)
    }
}
