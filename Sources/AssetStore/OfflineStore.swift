internal import Foundation
internal import HLSPlaylist
internal import Locking
package import Logging
package import SystemPackage
internal import Transfers

/// A store with its engine: the one writer of a store's catalog and folders.
///
/// One process at a time works on a store: a lock on its folder sees to that. Other processes look at the store through
/// `StoreReader` and ask the engine's server for changes.
///
/// ```swift
/// let store = try await OfflineStore.open(at: folder)
/// let download = try await store.download(DownloadRequest(url: streamURL))
/// for try await step in download.progress { print(step.fraction) }
/// print(try await store.asset(download.id).isPlayableOffline)
/// await store.close()
/// ```
public final class OfflineStore: Sendable {
    /// The version of the product, which origins are told as User-Agent, too.
    public static let version = "0.1.0"
    /// Reads what the store has.
    public let reader: StoreReader
    let context: EngineParts
    let catalog: Catalog
    let vault: KeyVault
    let clock: TrustedClock
    /// Hands out content keys.
    package let keys: KeyDesk
    let decryptionPlans: DecryptionPlans
    let providers: KeyProviders
    let loop: TransferLoop
    let engine: DownloadEngine
    let disposer: Disposer
    let keeper: StorageKeeper
    let tamperWatch: TamperWatch
    let ticker: ProgressTicker
    /// The settings as they were read last.
    let settings: Lock<EngineSettings>
    let configuration: Configuration
    /// The policy of the engine at its start.
    package let firstPolicy: EnginePolicy
    let connection: MeteredConnection
    let servers = PublishedServers()
    let closing = Lock<Task<Void, Never>?>(nil)
    private let pause: @Sendable (Double) async throws -> Void
    let relinker: Relinker
    /// The mutual exclusion of changes to the renditions of an asset.
    let turns = Turns()
    /// The assets that are being brought back.
    let returning = ReturningAssets()
    let renewalTimer = RenewalTimer()
    let hooks = Lock<Task<Void, Never>?>(nil)
    let lookingBack = Lock<Task<Void, Never>?>(nil)
    let discovering = Lock<Task<Void, Never>?>(nil)
    private let tidying = Lock<Task<Void, Never>?>(nil)
    private let linkWatch = Lock<LinkWatch?>(nil)
    private let beginning = Lock<Task<Void, Never>?>(nil)
    let log: Logger
    let lock: StoreLock
    let observers = ChangeObservers()

    /// Limits of an engine, and what it asks.
    public struct Configuration: Sendable {
        /// How many assets download at once; as the store's settings have it when `nil`, else 3.
        public var maximumDownloads: Int?
        /// Transfers that one asset, and one host, may have at once, at most; as the store's settings have it when `nil`,
        /// else 16.
        public var transfersPerAsset: Int?
        /// The conditions under which a player's request may go to the origin of an asset that is not downloading.
        public var originFallback = OriginFallback.never
        /// Bytes per second for all downloads together; as the store's settings have it when `nil`, else no limit.
        public var rateLimit: UInt64?
        /// Bytes per second for what comes from one origin; as the store's settings have it when `nil`, else no limit.
        public var rateLimitPerHost: UInt64?
        /// The times of day at which downloads go on; as the store's settings have it when `nil`, else all day.
        public var schedule: Schedule?
        /// Whether downloads go on while the connection costs by volume; as the store's settings have it when `nil`,
        /// else not.
        public var mayUseMetered: Bool?
        /// Tells whether the connection costs by volume; with `nil` the system is asked.
        public var isMetered: (@Sendable () -> Bool)?
        /// The conditions under which downloads go on.
        package var conditions = EngineConditions()
        /// How much may be stored, and what is evicted for room; as the store's settings have it when `nil`.
        public var storage: StoragePolicy?
        /// Gives the time.
        package var clock: any WallClock = SystemWallClock()
        /// The providers that are asked for content keys, before those in the store's settings.
        public var keyProviders: [any KeyProvider] = []
        /// Waits so many seconds before something is tried again.
        package var pause: @Sendable (Double) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        }

        /// Is told of every try that failed and will be made again; called on any thread, must not block.
        package var onRetry: @Sendable (RetryWait) -> Void = { _ in }

        /// The usual settings.
        public init() {}

        var pauseAndTell: RetryPause {
            RetryPause { [pause, onRetry] wait in
                onRetry(wait)
                try await pause(wait.seconds)
            }
        }
    }

    /// Opens the store in `root` for working on it, making it when there is none.
    ///
    /// It reads and writes files, and blocks meanwhile: programs call ``open(at:configuration:startsDownloads:log:)``.
    ///
    /// - Throws: `StoreError.Code.storeInUse` when another process works on it.
    package init(
        root: FilePath, configuration: Configuration = Configuration(),
        log: Logger = Logger(label: "offline-server")
    ) throws(StoreError) {
        TransferLoop.prepare()
        let paths = try Self.folders(in: root)
        (lock, catalog) = try Self.open(paths, log)
        let settings = try EngineSettings.read(paths.settings)
        let connection = MeteredConnection(interfaces: settings.meteredInterfaces)
        (self.settings, self.configuration, self.connection) = (Lock(settings), configuration, connection)
        Self.warn(of: settings, in: paths, log)
        pause = configuration.pause
        vault = try Self.vault(of: catalog, in: paths)
        firstPolicy = EnginePolicy(settings, configuration)
        loop = try Self.makeLoop(transfersPerHost: firstPolicy.transfersPerAsset)
        clock = try TrustedClock(catalog, configuration.clock)
        let owner = StoreOwnerLink()
        reader = StoreReader(paths: paths, catalog: catalog, vault: vault, clock: clock, owner: owner)
        providers = KeyProviders(configuration, settings, loop, paths)
        let plans = DecryptionPlans(reader)
        decryptionPlans = plans
        keys = KeyDesk(catalog: catalog, vault: vault, clock: clock) { plans.identifiers(of: $0) }
        disposer = Disposer(catalog: catalog, paths: paths, log: log)
        keeper = Self.makeKeeper(configuration, settings, catalog, reader, clock, disposer, returning, owner)
        let work = StoreAccess(catalog: catalog, paths: paths, clock: configuration.clock)
        tamperWatch = TamperWatch(work, owner: owner)
        context = Self.makeParts(
            configuration, settings, work, reader: reader, connection: connection, loop: loop,
            storage: keeper,
            providers: providers, owner: owner, transfersPerAsset: firstPolicy.transfersPerAsset)
        relinker = Relinker(store: work, vault: vault, origins: context.origins, links: context.healing.links)
        engine = DownloadEngine(
            parts: context, vault: vault, policy: firstPolicy, relinker: relinker, log: log)
        ticker = ProgressTicker(catalog: catalog, engine: engine)
        self.log = log
        connect(owner)
        try recover()
    }

    /// Tells what is wrong with settings that can be read.
    private static func warn(of settings: EngineSettings, in paths: StorePaths, _ log: Logger) {
        if let exposure = settings.exposure(paths.settings) { log.warning("\(exposure)") }
        let environment = ProcessInfo.processInfo.environment
        for absence in settings.absences(environment) + settings.lackingPrograms(environment) {
            log.warning("\(absence)")
        }
    }

    /// Leads the parts to the store, which does for them what takes all of it.
    private func connect(_ owner: StoreOwnerLink) {
        reader.limits.withLock { $0 = (keeper.policy, context.conditions) }
        owner.lead(to: self)
        startDiscovering()
    }

    /// Notices from now on when others delete or change files of these assets, as far as they are complete; of some
    /// hundred folders at most, those of the assets that were named last.
    package func watch(_ tokens: some Sequence<AssetToken>) {
        for token in tokens { tamperWatch.follow(token) }
    }

    /// Tells observers that an asset may consist of something else now.
    func changed(_ token: AssetToken) { changed([token]) }

    /// Tells observers that assets may consist of something else now.
    func changed(_ tokens: Set<AssetToken>) {
        for token in tokens { tamperWatch.leave(token) }
        refresh(tokens)
    }

    func refresh(_ tokens: Set<AssetToken>) {
        for token in tokens { keys.forget(token) }
        decryptionPlans.forget(tokens)
        reader.growingPlaylists.forget(tokens)
        observers.tell(tokens)
    }

    private static func makeKeeper(
        _ configuration: Configuration, _ settings: EngineSettings, _ catalog: Catalog,
        _ reader: StoreReader, _ clock: TrustedClock, _ disposer: Disposer, _ returning: ReturningAssets,
        _ owner: StoreOwnerLink
    ) -> StorageKeeper {
        let policy = configuration.storage ?? settings.storage
        return StorageKeeper(
            policy: policy, catalog: catalog, root: reader.paths.root, conditions: configuration.conditions,
            disposer: disposer, owner: owner
        ) { wanted, spared, policy throws(StoreError) in
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

    /// The store's key, by which the addresses in the catalog are sealed from here on.
    private static func vault(of catalog: Catalog, in paths: StorePaths) throws(StoreError) -> KeyVault {
        let vault = try KeyVault.opened(in: paths, for: catalog)
        catalog.useAddressSealer(AddressSealer(vault))
        catalog.keyOpener.withLock { $0 = .vault(vault) }
        // What is sealed must not outlive the key, whose maker may have been killed before its name was on the disk.
        try FileSystem.syncDirectory(paths.root)
        try catalog.addresses.sealOldAddresses()
        return vault
    }

    private static func folders(in root: FilePath) throws(StoreError) -> StorePaths {
        let paths = StorePaths(root: root)
        try paths.makeFolders()
        return paths
    }

    static func makeLoop(transfersPerHost: Int = 16) throws(StoreError) -> TransferLoop {
        var configuration = TransferLoopConfiguration()
        configuration.userAgent = "offline-server/\(version)"
        configuration.maximumTransfersPerHost = transfersPerHost
        configuration.maximumTransfers = max(configuration.maximumTransfers, transfersPerHost)
        do throws(TransferError) {
            return try TransferLoop(configuration: configuration)
        } catch {
            throw StoreError(.transfer(TransferFailure(error)))
        }
    }

    /// Cleans up after a killed engine: queues interrupted downloads again, finishes removals, and takes back what
    /// was not entered to the end.
    private func recover() throws(StoreError) {
        try catalog.queue.requeueInterrupted(at: context.clock.now)
        _ = try discard(try catalog.assets.tokens(in: [.removing, .resolving]))
        try disposer.recover()
        disposer.forgetErased()
    }

    /// Tells the hooks of the settings from now on, in place of those that were told before.
    func startHooks(replacing: Bool = false) throws(StoreError) {
        let list = settings.withLock(\.hooks)
        let runner = HookRunner(hooks: list, catalog: catalog, loop: loop, log: log, pause: pause)
        let (start, floors) = try runner.beginning()
        hooks.withLock { task in
            guard replacing || task == nil else { return }
            let former = task
            former?.cancel()
            task =
                list.isEmpty
                ? nil
                : Task(executorPreference: WorkThreads.housekeeping) { [catalog] in
                    await former?.value
                    // The former ones may have been told more before they ended.
                    let last = (try? catalog.events.cursor(HookRunner.cursor)) ?? nil
                    await runner.run(from: last ?? start, floors)
                }
        }
    }

    /// Tidies up once in a while; not all stores of a machine at the same moment.
    private func startTidying() {
        let interval = context.conditions.tidyInterval
        tidying.withLock { task in
            task =
                task
                ?? Task(executorPreference: WorkThreads.housekeeping) { [weak self] in
                    while (try? await Task.sleep(for: .seconds(interval * .random(in: 0.9...1.1)))) != nil {
                        self?.tidyIfPossible()
                    }
                }
        }
    }

    /// Finds out whether the connection costs by volume, then has the engine begin. Where a service of the system is slow to
    /// answer that, the engine begins later, and nobody waits for it.
    private func begin() async {
        let (end, ended) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            defer { ended.finish() }
            await context.network.look()
            guard !Task.isCancelled else { return }
            await engine.adopt(engine.policy)
            watchLinks()
        }
        beginning.withLock { $0 = task }
        await withTaskGroup { group in
            group.addTask { for await _ in end {} }
            group.addTask { try? await Task.sleep(for: Self.startPatience) }
            await group.next()
            group.cancelAll()
        }
    }

    private static let startPatience = Duration.milliseconds(250)

    /// Hears at once when the machine loses its way to the network, or gets one.
    private func watchLinks() {
        linkWatch.withLock { watch in
            watch = watch ?? LinkWatch { [engine] in Task { await engine.networkChanged() } }
        }
    }

    private func tidyIfPossible() {
        do throws(StoreError) {
            try tidy()
        } catch {
            log.warning("could not tidy up", metadata: ["error": "\(error.message)"])
        }
    }

    /// The paths of the store.
    package var paths: StorePaths { reader.paths }

    /// Starts all queued downloads, and tells the hooks in the store's settings of what happens from now on. A second call
    /// changes nothing.
    public func start() async {
        do throws(StoreError) {
            try startHooks()
            await begin()
            tidyIfPossible()
            scheduleRenewals()
            startTidying()
            startLookingAtOlderMedia()
            tamperWatch.followNewest()
        } catch {
            log.warning("the store could not be started in full", metadata: ["error": "\(error.message)"])
        }
    }

    /// Ends all transfers and closes the store; what was running goes on after the next start.
    package func stop() async {
        ticker.stop()
        beginning.withLock(\.self)?.cancel()
        linkWatch.withLock { $0 = nil }
        tamperWatch.stop()
        renewalTimer.stop()
        await untilHooksAreTold(within: Self.hookPatience)
        hooks.withLock(\.self)?.cancel()
        discovering.withLock(\.self)?.cancel()
        let lookingBack = lookingBack.withLock(\.self)
        lookingBack?.cancel()
        await lookingBack?.value
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
