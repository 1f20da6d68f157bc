internal import HLSPlaylist
internal import Locking
public import Logging
public import SystemPackage
internal import Transfers

/// A store with its engine: the one writer of a store's catalog and folders.
///
/// There is one in the world for each store; the lock on the store's folder sees to that. Other processes
/// look at the store through `StoreReader` and ask the engine's server for changes.
public final class AssetStore: Sendable {
    /// What others may look at.
    public let reader: StoreReader
    let context: DownloadContext
    let catalog: Catalog
    let vault: KeyVault
    let clock: TrustedClock
    /// Hands out content keys.
    public let keys: KeyDesk
    let decryptionPlans: DecryptionPlans
    let providers: KeyProviders
    let loop: TransferLoop
    let engine: DownloadEngine
    let disposer: Disposer
    let keeper: StorageKeeper
    let tamperWatch: TamperWatch
    let ticker: ProgressTicker
    let settings: EngineSettings
    private let pause: @Sendable (Double) async throws -> Void
    let relinker: Relinker
    /// Who changes the renditions of which asset.
    let turns = Turns()
    /// What is being brought back.
    let returning = ReturningAssets()
    let renewalTimer = RenewalTimer()
    private let hooks = Lock<Task<Void, Never>?>(nil)
    private let tidying = Lock<Task<Void, Never>?>(nil)
    let log: Logger
    private let lock: StoreLock
    private let observer = Lock<(@Sendable (Set<AssetToken>) -> Void)?>(nil)

    /// Settings of an engine.
    public struct Configuration: Sendable {
        /// How many assets download at once.
        public var maximumDownloads = 3
        /// Transfers that one asset, and one host, may have at once, at most.
        public var transfersPerAsset = 16
        /// When a player's request may go to the origin of an asset that is not downloading.
        public var originFallback = OriginFallback.never
        /// Bytes a second for all downloads together, for what comes from one origin, when downloads go on, and
        /// whether they do while the connection costs by volume; what is `nil` is as the store's settings have it.
        public var rateLimit: UInt64?
        /// Likewise.
        public var rateLimitPerHost: UInt64?
        /// Likewise.
        public var schedule: Schedule?
        /// Likewise.
        public var mayUseMetered: Bool?
        /// Whether the connection costs by volume; `nil` finds it out.
        public var isMetered: (@Sendable () -> Bool)?
        /// What must be so for downloads to go on.
        public var conditions = EngineConditions()
        /// The storage policy; that of the settings when `nil`.
        public var storage: StoragePolicy?
        /// Where the time comes from.
        public var clock: any WallClock = SystemWallClock()
        /// Who is asked for content keys, before those in the store's settings.
        public var keyProviders: [any KeyProvider] = []
        /// Waits so many seconds before something is tried again; replaced in tests.
        public var pause: @Sendable (Double) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        }

        /// Is told of every try that failed and will be made again; called on any thread, must not block.
        public var onRetry: @Sendable (RetryWait) -> Void = { _ in }

        /// The usual settings.
        public init() {}

        var pauseAndTell: RetryPause {
            { [pause, onRetry] wait in
                onRetry(wait)
                try await pause(wait.seconds)
            }
        }
    }

    /// Opens the store in `root` for working on it, making it when there is none.
    ///
    /// - Throws: `StoreError.Code.storeInUse` when another process works on it.
    public init(
        root: FilePath, configuration: Configuration = Configuration(),
        log: Logger = Logger(label: "offline-server")
    ) throws(StoreError) {
        TransferLoop.prepare()
        let paths = try Self.folders(in: root)
        (lock, catalog) = try Self.open(paths, log)
        settings = try EngineSettings.read(paths.settings)
        if let exposure = settings.exposure(paths.settings) { log.warning("\(exposure)") }
        pause = configuration.pause
        vault = try KeyVault.opened(in: paths, for: catalog)
        // What is sealed must not outlive the key, whose maker may have been killed before its name was on the disk.
        try FileSystem.syncDirectory(paths.root)
        loop = try Self.makeLoop(transfersPerHost: configuration.transfersPerAsset)
        clock = try TrustedClock(catalog, configuration.clock)
        reader = StoreReader(paths: paths, catalog: catalog, vault: vault, clock: clock)
        providers = KeyProviders(configuration, settings, loop, paths)
        let plans = DecryptionPlans(reader)
        decryptionPlans = plans
        keys = KeyDesk(catalog: catalog, vault: vault, clock: clock) { plans.identifiers(of: $0) }
        disposer = Disposer(catalog: catalog, paths: paths, log: log)
        keeper = Self.makeKeeper(configuration, settings, catalog, reader, clock, disposer, returning)
        tamperWatch = TamperWatch(catalog: catalog, paths: paths) { [wall = configuration.clock] in wall.now }
        let connection = MeteredConnection(interfaces: settings.meteredInterfaces)
        context = DownloadContext(
            catalog: catalog, committer: SegmentCommitter(catalog: catalog), paths: paths,
            clock: configuration.clock, arriving: reader.arriving, players: reader.players,
            links: LinkRequests(isAnswered: settings.linkResolver != nil),
            transfersPerAsset: configuration.transfersPerAsset, originFallback: configuration.originFallback,
            isMetered: configuration.isMetered ?? { connection.isMetered },
            lookAtConnection: { if configuration.isMetered == nil { await connection.look() } },
            conditions: configuration.conditions, wait: configuration.pause,
            onGrowth: { [keys, plans, observer] token in
                keys.forget(token)
                plans.forget([token])
                observer.withLock(\.self)?([token])
            },
            storage: keeper, holds: HostHolds(catalog: catalog, clock: configuration.clock),
            pause: configuration.pauseAndTell, providers: providers)
        relinker = Relinker(
            catalog: catalog, vault: vault, loop: loop, context: context, service: settings.linkResolver)
        engine = DownloadEngine(
            context: context, loop: loop, vault: vault, policy: EnginePolicy(settings, configuration),
            relinker: relinker, log: log)
        ticker = ProgressTicker(catalog: catalog, engine: engine)
        self.log = log
        connect()
        try recover()
    }

    /// Tells the parts who does for them what takes the whole store.
    private func connect() {
        keeper.onEviction { [weak self] step throws(StoreError) in _ = try self?.evict(step) }
        context.interstitials.onFound { [weak self] token, places in
            Task { await self?.adopt(places, into: token) }
        }
        tamperWatch.onDamage { [weak self] in self?.refresh([$0]) }
        reader.players.log.onFirstPlay { [tamperWatch] in tamperWatch.follow($0) }
        engine.resolver.withLock {
            $0 = { [weak self] token async throws(StoreError) in
                guard let self else { throw StoreError(.stopped) }
                try await resolve(token)
            }
        }
    }

    /// Calls `body` whenever what is served of assets may have changed.
    public func onChange(_ body: @escaping @Sendable (Set<AssetToken>) -> Void) {
        observer.withLock { $0 = body }
    }

    /// Notices from now on when others delete or change files of these assets, as far as they are complete; of some
    /// hundred folders at most, those of the assets that were named last.
    public func watch(_ tokens: some Sequence<AssetToken>) {
        for token in tokens { tamperWatch.follow(token) }
    }

    /// What an asset consists of may be different now.
    func changed(_ token: AssetToken) { changed([token]) }

    /// What assets consist of may be different now.
    func changed(_ tokens: Set<AssetToken>) {
        for token in tokens { tamperWatch.leave(token) }
        refresh(tokens)
    }

    private func refresh(_ tokens: Set<AssetToken>) {
        for token in tokens { keys.forget(token) }
        decryptionPlans.forget(tokens)
        reader.growingPlaylists.forget(tokens)
        observer.withLock(\.self)?(tokens)
    }

    /// Waits until nothing more happens with an asset by itself: it is complete, failed, cancelled or paused.
    public func untilSettled(_ token: AssetToken) async { await engine.untilSettled(token) }

    /// Why a download ended, where the catalog could not take it: on a full disk, say.
    public func unrecordedFailure(of token: AssetToken) async -> StoreError? {
        await engine.unrecordedFailure(of: token)
    }

    /// Bytes per second that arrive for an asset; `nil` when it does not download.
    public func speed(of token: AssetToken) async -> Double? { await engine.speed(of: token) }

    /// Bytes per second that arrive for each asset that downloads, as far as they are measured yet.
    public var speeds: [AssetToken: Double] {
        get async { await engine.speeds.compactMapValues { $0 } }
    }

    private static func makeKeeper(
        _ configuration: Configuration, _ settings: EngineSettings, _ catalog: Catalog,
        _ reader: StoreReader, _ clock: TrustedClock, _ disposer: Disposer, _ returning: ReturningAssets
    ) -> StorageKeeper {
        let policy = configuration.storage ?? settings.storage
        return StorageKeeper(
            policy: policy, catalog: catalog, root: reader.paths.root, conditions: configuration.conditions,
            disposer: disposer
        ) { wanted, spared throws(StoreError) in
            try reader.evictionPlan(
                freeing: wanted, policy, sparing: returning.tokens.union(spared), at: clock.now.trusted)
        }
    }

    private static func open(
        _ paths: StorePaths, _ log: Logger
    ) throws(StoreError) -> (StoreLock, Catalog) {
        let lost = LostCatalog.folders(paths)
        SpareRoom.keep(paths.spareRoom)
        let opened = try SpareRoom.using(paths.spareRoom) { () throws(StoreError) in
            (try StoreLock(paths.lock), try Catalog(writing: paths.catalog))
        }
        SpareRoom.give(paths.spareRoom, to: Catalog.log(of: paths.catalog), Catalog.reserve)
        if !lost.isEmpty {
            let occurrence = LostCatalog.occurrence(lost.count, paths)
            log.warning("\(occurrence), so that a new one was made; \(LostCatalog.advice)")
        }
        return opened
    }

    private static func folders(in root: FilePath) throws(StoreError) -> StorePaths {
        let paths = StorePaths(root: root)
        try paths.makeFolders()
        return paths
    }

    static func makeLoop(transfersPerHost: Int = 16) throws(StoreError) -> TransferLoop {
        var configuration = TransferLoopConfiguration()
        configuration.maximumTransfersPerHost = transfersPerHost
        configuration.maximumTransfers = max(configuration.maximumTransfers, transfersPerHost)
        do throws(TransferError) {
            return try TransferLoop(configuration: configuration)
        } catch {
            throw StoreError(.transfer(error))
        }
    }

    /// What a killed engine left: interrupted downloads are queued again, removals finished, and what was not
    /// entered to the end is taken back.
    private func recover() throws(StoreError) {
        try catalog.requeueInterrupted(at: context.clock.now)
        _ = try discard(try catalog.tokens(in: [.removing, .resolving]))
        try disposer.recover()
        disposer.forgetErased()
    }

    private func startHooks() throws(StoreError) {
        guard !settings.hooks.isEmpty else { return }
        let runner = HookRunner(
            hooks: settings.hooks, catalog: catalog, loop: loop, log: log, pause: pause)
        let start = try runner.beginning()
        hooks.withLock { task in task = task ?? Task { await runner.run(from: start) } }
    }

    /// Tidies up once in a while; not all stores of a machine at the same moment.
    private func startTidying() {
        let interval = context.conditions.tidyInterval
        tidying.withLock { task in
            task =
                task
                ?? Task { [weak self] in
                    while (try? await Task.sleep(for: .seconds(interval * .random(in: 0.9...1.1)))) != nil {
                        self?.tidyIfPossible()
                    }
                }
        }
    }

    private func tidyIfPossible() {
        do throws(StoreError) {
            try tidy()
        } catch {
            log.warning("could not tidy up", metadata: ["error": "\(error.message)"])
        }
    }

    /// Where the store lies.
    public var paths: StorePaths { reader.paths }

    /// Tells other processes where the engine's server answers, and never downloads from itself.
    public func publish(url: String, port: UInt16, requiresToken: Bool = false) throws(StoreError) {
        loop.refusedLocalPorts = [port]
        try lock.publish(url: url, storage: keeper.policy, requiresToken: requiresToken)
    }

    /// Starts everything that is queued, and tells the services in the settings of what happens from now on.
    public func start() async {
        do throws(StoreError) {
            try startHooks()
            context.recordings.onKeys { [weak self] in self?.scheduleRenewals($1, of: $0) }
            await context.lookAtConnection()
            await engine.adopt(engine.policy)
            tidyIfPossible()
            scheduleRenewals()
            startTidying()
        } catch {
            log.warning("the store could not be started in full", metadata: ["error": "\(error.message)"])
        }
    }

    /// Ends all transfers and closes the store; what was running goes on after the next start.
    public func stop() async {
        ticker.stop()
        tamperWatch.stop()
        renewalTimer.stop()
        hooks.withLock(\.self)?.cancel()
        let tidying = tidying.withLock(\.self)
        tidying?.cancel()
        await tidying?.value
        await engine.stop()
        await loop.stop()
        await disposer.untilDone()
        keys.flush()
        try? flushPlays()
        catalog.close()
        lock.release()
    }
}
