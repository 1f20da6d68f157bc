internal import Foundation
internal import HLSPlaylist
internal import Locking
internal import Logging
internal import SystemPackage
internal import Transfers

/// The parts of a store that its roles share; made once, when it is opened.
struct StoreParts: Sendable {
    let paths: StorePaths
    let lock: StoreLock
    let catalog: Catalog
    /// The bucket with the media; `nil` for the store's folder.
    let bucket: BucketMedia?
    /// The settings at the time when the store was opened.
    let settings: EngineSettings
    let connection: MeteredConnection
    let vault: KeyVault
    /// Whether plays are logged.
    let logsPlays: Lock<Bool>
    /// The policy of the engine at its start.
    let policy: EnginePolicy
    let loop: TransferLoop
    let clock: TrustedClock
    let reader: StoreReader
    let providers: KeyProviders
    let plans: DecryptionPlans
    let keys: KeyDesk
    let disposer: Disposer
    let retryPauses: [Duration]
    let returning = ReturningAssets()
    let turns = Turns()
    let keeper: StorageKeeper
    let tamperWatch: TamperWatch
    let observers = ChangeObservers()
    let notices: ChangeNotices
    let context: EngineParts
    /// The engine's link to the store, set when the store is made.
    let owner = StoreOwnerLink()
    let relinker: Relinker
    let engine: DownloadEngine
    let log: Logger

    /// Threads for work that reads whole assets, which takes minutes.
    static let readers = WorkPool(threads: 4)

    /// The time of the machine.
    var wall: any WallClock { context.clock }

    init(_ root: FilePath, configuration: OfflineStore.Configuration, log: Logger) throws(StoreError) {
        self.log = log
        var paths = StorePaths(root: root)
        try paths.makeFolders()
        paths.isOfNode = configuration.ownership != nil
        (lock, catalog) = try Self.open(paths, configuration, log)
        settings = try EngineSettings.read(paths.settings)
        bucket = try Self.bucket(
            configuration, settings: settings, catalog: catalog, paths: paths, log: log)
        paths.media = bucket
        self.paths = paths
        logsPlays = Lock(settings.logsPlays)
        connection = MeteredConnection(interfaces: settings.meteredInterfaces)
        Self.warn(of: settings, in: paths, log)
        vault = try Self.vault(of: catalog, in: paths)
        policy = EnginePolicy(settings, configuration)
        retryPauses = configuration.retryPauses
        loop = try TransferLoop.ofStore(transfersPerHost: policy.transfersPerAsset)
        clock = try TrustedClock(catalog, configuration.clock)
        reader = StoreReader(
            paths: paths, catalog: catalog, vault: vault, clock: clock, owner: owner, bucket: bucket)
        providers = KeyProviders(configuration, settings: settings, loop: loop, paths: paths)
        let plans = DecryptionPlans(reader)
        self.plans = plans
        keys = KeyDesk(catalog: catalog, vault: vault, clock: clock) { plans.identifiers(of: $0) }
        disposer = Disposer(catalog: catalog, paths: paths, log: log)
        keeper = Self.keeper(
            configuration, settings, reader: reader, catalog: catalog, clock: clock, disposer: disposer,
            returning: returning, owner: owner)
        let access = StoreAccess(catalog: catalog, paths: paths, clock: configuration.clock)
        tamperWatch = TamperWatch(access, owner: owner)
        let served = ServedFacts(
            keys: keys, plans: plans, growing: reader.growingPlaylists, observers: observers)
        notices = ChangeNotices(served: served, tamperWatch: tamperWatch)
        context = Self.engineParts(
            configuration, settings, policy: policy, store: access, reader: reader, storage: keeper,
            providers: providers,
            connection: connection, loop: loop, owner: owner)
        relinker = Relinker(
            store: access, vault: vault, origins: context.origins, links: context.healing.links)
        engine = DownloadEngine(parts: context, vault: vault, policy: policy, relinker: relinker, log: log)
    }

    /// The bucket with the media; `nil` for the store's folder. A store with media in a bucket is not opened without
    /// that bucket.
    private static func bucket(
        _ configuration: OfflineStore.Configuration, settings: EngineSettings, catalog: Catalog,
        paths: StorePaths, log: Logger
    ) throws(StoreError) -> BucketMedia? {
        var bucket = configuration.media
        if bucket == nil, let named = settings.media {
            bucket = try BucketMedia.Settings(named, environment: ProcessInfo.processInfo.environment)
        }
        guard let bucket else {
            if let place = try catalog.storage.mediaPlace() { throw StoreError(.mediaElsewhere(place)) }
            return nil
        }
        return try BucketMedia(
            bucket, catalog: catalog, paths: paths, clock: configuration.clock, log: log)
    }

    private static func engineParts(
        _ configuration: OfflineStore.Configuration, _ settings: EngineSettings, policy: EnginePolicy,
        store: StoreAccess, reader: StoreReader, storage: StorageKeeper, providers: KeyProviders,
        connection: MeteredConnection, loop: TransferLoop, owner: StoreOwnerLink
    ) -> EngineParts {
        let board = ActivityBoard(clock: store.clock)
        let cooldowns = HostCooldowns(catalog: store.catalog, clock: store.clock)
        return EngineParts(
            store: store,
            origins: OriginFactory(
                loop: loop, cooldowns: cooldowns, pause: configuration.pauseAndTell, board: board),
            demand: PlayerDemand(arriving: reader.arriving, players: reader.players),
            network: NetworkUse(
                originFallback: configuration.originFallback,
                isMetered: configuration.isMetered ?? { connection.isMetered },
                look: { if configuration.isMetered == nil { await connection.look() } }),
            healing: Healing(links: LinkRequests(resolver: settings.linkResolver)),
            storage: storage, conditions: configuration.conditions, providers: providers, board: board,
            bucket: reader.bucket, owner: owner, transfersPerAsset: policy.transfersPerAsset,
            wait: configuration.pause)
    }

    private static func keeper(
        _ configuration: OfflineStore.Configuration, _ settings: EngineSettings, reader: StoreReader,
        catalog: Catalog, clock: TrustedClock, disposer: Disposer, returning: ReturningAssets,
        owner: StoreOwnerLink
    ) -> StorageKeeper {
        var conditions = configuration.conditions
        // With a bucket, the folder is a cache that deletes files by itself, so the free space is not checked.
        if reader.bucket != nil { conditions.space = { _ in nil } }
        return StorageKeeper(
            policy: configuration.storage ?? settings.storage, catalog: catalog, root: reader.paths.root,
            conditions: conditions, disposer: disposer, owner: owner
        ) { wanted, spared, policy throws(StoreError) in
            try reader.evictionPlan(
                freeing: wanted, policy, sparing: returning.tokens.union(spared), at: clock.now.trusted)
        }
    }

    private static func open(
        _ paths: StorePaths, _ configuration: OfflineStore.Configuration, _ log: Logger
    ) throws(StoreError) -> (StoreLock, Catalog) {
        if let address = configuration.catalog {
            let lock = if let own = configuration.lock { own } else { try StoreLock(paths.lock) }
            let ownership = configuration.ownership
            if let ownership { try NodeFolder(paths).adopt(ownership.owner) }
            return (lock, try Catalog(postgres: address, ownership: ownership))
        }
        try refuseNodes(paths)
        let lost = LostCatalog.folders(paths)
        SpareRoom.keep(paths.spareRoom)
        let opened = try SpareRoom.using(paths.spareRoom) { () throws(StoreError) in
            let lock = try StoreLock(paths.lock)
            try MigrationFile(paths).check()
            return (lock, try Catalog(writing: paths.catalog))
        }
        SpareRoom.give(paths.spareRoom, to: WriteAheadLog.path(of: paths.catalog), WriteAheadLog.reserve)
        if !lost.isEmpty {
            let occurrence = LostCatalog.occurrence(lost.count, paths)
            log.warning("\(occurrence), so that a new one was made; \(LostCatalog.advice)")
        }
        return opened
    }

    /// Refuses a folder whose catalog is shared by several machines, since it was opened without that catalog.
    private static func refuseNodes(_ paths: StorePaths) throws(StoreError) {
        guard let place = try NodeFolder(paths).catalog else { return }
        // If the node runs, taking the lock throws `storeInUse` instead.
        try StoreLock(paths.lock).release()
        throw StoreError(.catalogElsewhere(place))
    }

    /// The store key, which seals the addresses in the catalog.
    private static func vault(of catalog: Catalog, in paths: StorePaths) throws(StoreError) -> KeyVault {
        let vault = try KeyVault.opened(in: paths, for: catalog)
        catalog.useAddressSealer(AddressSealer(vault))
        catalog.keyOpener.withLock { $0 = .vault(vault) }
        // Sealed data must not be written before the key is durable. The process that made the key may have been
        // killed before the key's file name was flushed.
        try FileSystem.syncDirectory(paths.root)
        try catalog.addresses.sealOldAddresses()
        return vault
    }

    /// Warns of settings that can be read but have a fault.
    private static func warn(of settings: EngineSettings, in paths: StorePaths, _ log: Logger) {
        if let exposure = settings.exposure(paths.settings) { log.warning("\(exposure)") }
        let environment = ProcessInfo.processInfo.environment
        for absence in settings.absences(environment) + settings.lackingPrograms(environment) {
            log.warning("\(absence)")
        }
    }
}
