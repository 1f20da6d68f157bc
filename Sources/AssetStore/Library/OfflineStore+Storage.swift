/// The settings and figures of the store.
extension OfflineStore {
    /// The limits of the store's size, and the classes that may be evicted.
    public var storagePolicy: StoragePolicy { parts.keeper.policy }

    /// The bytes of the store and what uses them, with the limits of the engine.
    public func storage() async throws(StoreError) -> StorageUse {
        try await Self.onOwnThread { () throws(StoreError) in try housekeeper.storage() }
    }

    /// Frees bytes: files that belong to no asset, media of cancelled assets and, where the policy allows it, assets
    /// with an expired license. If that is less than the limits or `wanted` demand, it evicts more. Pinned assets and
    /// assets that are being played stay.
    ///
    /// - Parameters:
    ///   - wanted: bytes to free at least.
    ///   - classes: the classes that may be evicted this time; `nil` is the policy's.
    ///   - isDryRun: whether to only make the report and free nothing.
    public func prune(
        freeing wanted: UInt64 = 0, _ classes: Set<EvictionClass>? = nil, isDryRun: Bool = false
    ) async throws(StoreError) -> PruneReport {
        try await Self.onOwnThread { () throws(StoreError) in
            try await housekeeper.prune(freeing: wanted, classes, isDryRun: isDryRun)
        }
    }

    /// Follows the events, progress and activity of all assets.
    ///
    /// - Parameter id: the last event that the caller knows; `nil` begins with the next event, 0 with the oldest in
    ///   the log.
    public func updates(since id: Int64? = nil) -> AssetUpdates {
        ticker.start()
        return AssetUpdates(catalog: catalog, since: id)
    }

    /// The figures of an asset that only the engine knows, such as its speed.
    public func liveFigures(of asset: Asset) async -> LiveFigures {
        LiveFigures.of(asset, known: await engine.activity.figures(of: asset.token))
    }

    /// The figures of all assets that run, or that wait after a failure.
    public var liveFigures: [AssetToken: LiveFigures] { get async { await engine.activity.figures } }

    /// The policy of the engine.
    public var policy: EnginePolicy { get async { await engine.policy } }

    /// Changes the policy of the engine at once. The change lasts until the store is closed.
    public func adopt(_ policy: EnginePolicy) async { await settings.adopt(policy) }
}
