package import Locking

/// The parts of an engine, put together once when a store opens. The engine keeps them, and hands each of its roles
/// the parts that the role works with.
package struct EngineParts: Sendable {
    package let store: StoreAccess
    package let origins: OriginFactory
    package let demand: PlayerDemand
    package let network: NetworkUse
    package let healing: Healing
    package let committer: SegmentCommitter
    /// The bucket with the media; `nil` if they are in the store's folder.
    package let bucket: BucketMedia?
    package let storage: StorageKeeper
    package let conditions: EngineConditions
    /// The providers for content keys that appear in a playlist later.
    package let providers: KeyProviders
    /// The work on assets, as others see it.
    package let board: ActivityBoard
    package let owner: StoreOwnerLink
    /// The recordings that run.
    package let recordings = Recordings()
    /// Transfers that an asset may have at once, which can be changed while they run.
    package let transferLimit: Lock<Int>
    /// Waits so many seconds until a playlist is loaded again.
    package let wait: @Sendable (Double) async throws -> Void

    package init(
        store: StoreAccess, origins: OriginFactory, demand: PlayerDemand, network: NetworkUse,
        healing: Healing,
        storage: StorageKeeper, conditions: EngineConditions, providers: KeyProviders, board: ActivityBoard,
        bucket: BucketMedia? = nil,
        owner: StoreOwnerLink, transfersPerAsset: Int, wait: @escaping @Sendable (Double) async throws -> Void
    ) {
        (self.store, self.origins, self.demand, self.network) = (store, origins, demand, network)
        (self.healing, self.storage, self.conditions) = (healing, storage, conditions)
        (self.providers, self.board, self.owner, self.wait) = (providers, board, owner, wait)
        self.bucket = bucket
        committer = SegmentCommitter(catalog: store.catalog, bucket: bucket)
        transferLimit = Lock(transfersPerAsset)
    }

    /// The clock on the wall.
    package var clock: any WallClock { store.clock }

    /// The parts that a recording works with.
    var recorder: RecorderParts {
        RecorderParts(
            store: store, recordings: recordings, links: healing.links, board: board, owner: owner,
            conditions: conditions, wait: wait)
    }
}
