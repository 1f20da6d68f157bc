/// The settings and figures of the store.
extension OfflineStore {
    /// The policy that the engine goes by.
    public var storagePolicy: StoragePolicy { keeper.policy }

    /// The bytes of the store and what uses them, with the limits of the engine.
    public func storage() async throws(StoreError) -> StorageUse {
        try await Self.onOwnThread { () throws(StoreError) in
            try housekeeper.storage()
        }
    }

    /// Frees what no row knows, what cancelled assets have kept and what has expired, as far as the policy lets it go;
    /// then as much more as the limits, or `wanted`, demand. Pinned assets and those that are being played stay.
    ///
    /// - Parameters:
    ///   - wanted: bytes to free at least.
    ///   - classes: what may go this time, in place of what the policy says.
    ///   - isDryRun: whether to only say what would go.
    public func prune(
        freeing wanted: UInt64 = 0, _ classes: Set<EvictionClass>? = nil, isDryRun: Bool = false
    ) async throws(StoreError) -> PruneReport {
        try await Self.onOwnThread { () throws(StoreError) in
            try await housekeeper.prune(freeing: wanted, classes, isDryRun: isDryRun)
        }
    }

    /// Follows the store.
    ///
    /// - Parameter id: the last event that is known already; `nil` begins with the next one, 0 with the oldest
    ///   one that is kept.
    public func updates(since id: Int64? = nil) -> AssetUpdates {
        ticker.start()
        return AssetUpdates(catalog: catalog, since: id)
    }

    /// The figures of an asset that only its engine knows.
    public func liveFigures(of asset: Asset) async -> LiveFigures {
        LiveFigures.of(asset, known: await engine.activity.figures(of: asset.token))
    }

    /// The figures of all assets that run or wait since something failed.
    public var liveFigures: [AssetToken: LiveFigures] { get async { await engine.activity.figures } }

    /// The policy of the engine.
    public var policy: EnginePolicy { get async { await engine.policy } }

    /// Changes what the engine keeps to, at once, until it ends.
    public func adopt(_ policy: EnginePolicy) async { await settings.adopt(policy) }
}
