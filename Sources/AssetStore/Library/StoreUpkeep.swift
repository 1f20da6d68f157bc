internal import Locking
internal import Logging
internal import Transfers

/// The work that a store does by itself while it is open: it tells hooks, tidies up, looks at older media, and takes
/// damage into the catalog that readers see.
final class StoreUpkeep: Sendable {
    private let catalog: Catalog
    private let loop: TransferLoop
    private let engine: DownloadEngine
    private let context: EngineParts
    private let housekeeper: Housekeeper
    private let renewals: RenewalSchedule
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
        parts: StoreParts, housekeeper: Housekeeper, renewals: RenewalSchedule, olderMedia: OlderMedia,
        damage: DamageLog
    ) {
        (catalog, loop, engine, context) = (parts.catalog, parts.loop, parts.engine, parts.context)
        (log, tamperWatch) = (parts.log, parts.tamperWatch)
        self.housekeeper = housekeeper
        self.renewals = renewals
        self.olderMedia = olderMedia
        self.damage = damage
    }

    /// Takes damage into the catalog from now on.
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
            startTidying()
            startCollecting()
            startLookingAtOlderMedia()
            tamperWatch.followNewest()
        } catch {
            log.warning("the store could not be started in full", metadata: ["error": "\(error.message)"])
        }
    }

    /// Calls these hooks from now on instead of those before.
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
                // Hooks that stay may be told more before the former run ends.
                await former?.value
                await runner.run()
            }
            running = (task, runner)
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

    /// Finds out whether the connection costs by volume, then starts the engine. If the system's service answers
    /// slowly, the engine begins later, and no caller waits for it.
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
            try housekeeper.tidy()
        } catch {
            log.warning("could not tidy up", metadata: ["error": "\(error.message)"])
        }
    }

    /// The time that hooks get for pending events before the store is closed; the next engine reports the rest.
    private static let hookPatience = Duration.seconds(2)
    private static let hookInterval = Duration.milliseconds(10)

    /// Returns when hooks have been called for all events until now, or when the time is over.
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
