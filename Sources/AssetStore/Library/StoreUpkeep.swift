internal import Locking
internal import Logging
internal import Transfers

/// The background work of an open store: it calls hooks, deletes old files and events, checks media of older
/// versions, and writes damage that readers find to the catalog.
final class StoreUpkeep: Sendable {
    private let catalog: Catalog
    private let loop: TransferLoop
    private let engine: DownloadEngine
    private let context: EngineParts
    private let housekeeper: Housekeeper
    private let renewals: RenewalSchedule
    private let retries: RetrySchedule
    private let olderMedia: OlderMedia
    private let damage: DamageLog
    private let tamperWatch: TamperWatch
    private let log: Logger
    private let hooks = Lock<(task: Task<Void, Never>, runner: HookRunner)?>(nil)
    private let lookingBack = Lock<Task<Void, Never>?>(nil)
    private let discovering = Lock<Task<Void, Never>?>(nil)
    private let tidying = Lock<Task<Void, Never>?>(nil)
    private let collecting = Lock<Task<Void, Never>?>(nil)
    private let linkWatch = Lock<LinkWatch?>(nil)
    private let beginning = Lock<Task<Void, Never>?>(nil)

    init(
        parts: StoreParts, housekeeper: Housekeeper, renewals: RenewalSchedule, retries: RetrySchedule,
        olderMedia: OlderMedia, damage: DamageLog
    ) {
        (catalog, loop, engine, context) = (parts.catalog, parts.loop, parts.engine, parts.context)
        (log, tamperWatch) = (parts.log, parts.tamperWatch)
        self.housekeeper = housekeeper
        self.renewals = renewals
        self.retries = retries
        self.olderMedia = olderMedia
        self.damage = damage
    }

    /// Begins to write found damage to the catalog.
    func startDiscovering() {
        let wakeups = damage.discoveries.wakeups()
        discovering.withLock { task in
            task = Task(executorPreference: WorkThreads.housekeeping) { [weak self] in
                for await _ in wakeups { self?.damage.take() }
            }
        }
    }

    /// Starts the engine and all background work. A second call changes nothing.
    func start(hooks: [EngineSettings.Hook]) async {
        do throws(StoreError) {
            try startHooks(hooks)
            await begin()
            tidyIfPossible()
            renewals.schedule()
            Task(executorPreference: WorkThreads.housekeeping) { [retries] in retries.begin() }
            startTidying()
            startCollecting()
            startLookingAtOlderMedia()
            tamperWatch.followNewest()
        } catch {
            log.warning("the store could not be started in full", metadata: ["error": "\(error.message)"])
        }
    }

    /// Begins to call hooks. If other hooks are being called, they are replaced if `replacing` is true; otherwise
    /// nothing changes.
    func startHooks(
        _ list: [EngineSettings.Hook], replacing: Bool = false
    ) throws(StoreError) {
        let runner = HookRunner(hooks: list, catalog: catalog, loop: loop, log: log, pause: context.wait)
        try runner.begin()
        hooks.withLock { running in
            guard replacing || running == nil else { return }
            let former = running?.task
            former?.cancel()
            guard !list.isEmpty else { return running = nil }
            let task = Task(executorPreference: WorkThreads.housekeeping) {
                // A hook that stays may still be called by the former run, so the new one begins after that.
                await former?.value
                await runner.run()
            }
            running = (task, runner)
        }
    }

    /// Deletes old files and events at intervals, which vary by a tenth so that the stores of a machine do not work
    /// at the same moment.
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

    /// Deletes unreferenced objects of the bucket from time to time.
    private func startCollecting() {
        guard let bucket = context.bucket else { return }
        collecting.withLock { task in
            task =
                task ?? Task(executorPreference: WorkThreads.housekeeping) { await bucket.keepCollecting() }
        }
    }

    private func startLookingAtOlderMedia() {
        lookingBack.withLock { task in
            task =
                task
                ?? Task(executorPreference: WorkThreads.housekeeping, priority: .background) { [olderMedia] in
                    await olderMedia.run()
                }
        }
    }

    /// Finds out whether the connection is metered (paid by volume), then starts the engine. If the system's service
    /// does not answer in time, this returns, and the engine starts later.
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

    /// Watches the network links of the machine, and tells the engine when they change.
    private func watchLinks() {
        linkWatch.withLock { watch in
            watch = watch ?? LinkWatch { [engine] in Task { await engine.networkChanged() } }
        }
    }

    private func tidyIfPossible() {
        do throws(StoreError) {
            try housekeeper.tidy()
        } catch {
            log.warning("could not tidy up", metadata: ["error": "\(error.message)"])
        }
    }

    /// The longest wait for hooks when the store is closed. The next engine calls them for the remaining events.
    private static let hookPatience = Duration.seconds(2)
    private static let hookInterval = Duration.milliseconds(10)

    /// Waits until the hooks were called for all events so far, but not longer than `patience`.
    func untilHooksAreTold(within patience: Duration) async {
        guard let runner = hooks.withLock(\.self)?.runner, let newest = try? catalog.events.lastEvent() else {
            return
        }
        let end = ContinuousClock.now + patience
        while ContinuousClock.now < end {
            guard !runner.hasTold(newest) else { return }
            guard (try? await Task.sleep(for: Self.hookInterval)) != nil else { return }
        }
    }

    /// Ends the work, and waits for writes to the catalog.
    func stop() async {
        beginning.withLock(\.self)?.cancel()
        linkWatch.withLock { $0 = nil }
        await untilHooksAreTold(within: Self.hookPatience)
        hooks.withLock(\.self)?.task.cancel()
        discovering.withLock(\.self)?.cancel()
        let collecting = collecting.withLock(\.self)
        collecting?.cancel()
        await collecting?.value
        let lookingBack = lookingBack.withLock(\.self)
        lookingBack?.cancel()
        await lookingBack?.value
        let tidying = tidying.withLock(\.self)
        tidying?.cancel()
        await tidying?.value
    }
}
