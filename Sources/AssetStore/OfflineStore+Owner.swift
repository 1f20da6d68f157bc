internal import Transfers

/// The services that the engine and other parts of a store call.
extension OfflineStore: StoreOwner {
    package func makeRoom(by step: EvictionPlan.Step) throws(StoreError) { try evict(step) }

    package func hasGrown(_ token: AssetToken) {
        keys.forget(token)
        decryptionPlans.forget([token])
        observers.tell([token])
    }

    package func hasEnded(_ token: AssetToken) { tamperWatch.follow(token) }

    package func found(_ interstitials: [InterstitialPlace], in token: AssetToken) {
        Task(executorPreference: WorkThreads.housekeeping) { await self.adopt(interstitials, into: token) }
    }

    package func received(_ keys: [KeyRecord], of token: AssetToken) { scheduleRenewals(keys, of: token) }

    package func beginsPlaying(_ token: AssetToken) { tamperWatch.follow(token) }

    package func isDamaged(_ token: AssetToken) { refresh([token]) }
}

extension OfflineStore {
    /// Puts together what the engine is made of.
    static func makeParts(
        _ configuration: Configuration, _ settings: EngineSettings, _ store: StoreAccess,
        reader: StoreReader, connection: MeteredConnection, loop: TransferLoop, storage: StorageKeeper,
        providers: KeyProviders, owner: StoreOwnerLink, transfersPerAsset: Int
    ) -> EngineParts {
        let board = ActivityBoard(clock: store.clock)
        let holds = HostHolds(catalog: store.catalog, clock: store.clock)
        return EngineParts(
            store: store,
            origins: OriginFactory(
                loop: loop, holds: holds, pause: configuration.pauseAndTell, board: board),
            demand: PlayerDemand(arriving: reader.arriving, players: reader.players),
            network: NetworkUse(
                originFallback: configuration.originFallback,
                isMetered: configuration.isMetered ?? { connection.isMetered },
                look: { if configuration.isMetered == nil { await connection.look() } }),
            healing: Healing(links: LinkRequests(resolver: settings.linkResolver)),
            storage: storage, conditions: configuration.conditions, providers: providers, board: board,
            owner: owner, transfersPerAsset: transfersPerAsset, wait: configuration.pause)
    }
}
