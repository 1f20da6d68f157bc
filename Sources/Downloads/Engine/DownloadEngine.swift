internal import Locking
package import Logging
internal import Transfers

/// Runs the downloads of a store. `sync` starts the downloads that are queued in the catalog.
///
/// It writes to the catalog, and each write flushes to the disk. So the engine has a thread of its own, and its runs
/// have theirs: they block no task on Swift's cooperative pool.
package actor DownloadEngine {
    private nonisolated let thread = SerialWork("downloads")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    let parts: EngineParts
    let vault: KeyVault
    let relinker: Relinker
    let log: Logger
    var catalog: Catalog { parts.store.catalog }
    var now: Timestamp { parts.store.now }
    /// The milliseconds since the machine was started.
    var uptime: Int64 { parts.store.clock.uptime }

    var admission: Admission
    var work = ActiveWork()
    var locks = StartLocks()
    var waiters = AssetWaiters()
    var suspended: SuspendedQueue
    let notices: WaitNotices
    var postponements = Postponements()
    var refreshes = AddressRefreshes()
    var driftLooks = DriftLooks()
    var ends = UnwrittenEnds()
    var isStopping = false
    /// Whether `sync` failed and must be repeated.
    private var isBehind = false
    var watcher: Task<Void, Never>?

    package init(
        parts: EngineParts, vault: KeyVault, policy: EnginePolicy, relinker: Relinker, log: Logger
    ) {
        (self.parts, self.vault, self.relinker, self.log) = (parts, vault, relinker, log)
        admission = Admission(
            store: parts.store, storage: parts.storage, cooldowns: parts.origins.cooldowns,
            conditions: parts.conditions, network: parts.network, policy: policy, bucket: parts.bucket)
        suspended = SuspendedQueue(catalog: parts.store.catalog)
        notices = WaitNotices(store: parts.store, board: parts.board, cooldowns: parts.origins.cooldowns)
    }

    /// Writes the new state of an asset's transfer.
    func apply(_ action: AssetAction, to token: AssetToken, _ reason: StateReason? = nil) throws(StoreError) {
        try catalog.assets.apply(action, to: token, TransitionDetail(reason: reason, now: now))
    }
}

// MARK: - Starting

extension DownloadEngine {
    /// Starts queued downloads while slots are free, and reads the playlists of the next ones.
    package func sync() {
        guard !isStopping else { return }
        do throws(StoreError) {
            try beginRecordings()
            var count = 1
            while try takeNext(times: count) { count *= 2 }
        } catch {
            log.error("cannot start downloads", metadata: ["error": "\(error.message)"])
            isBehind = true
            watch()
        }
    }

    /// Starts the queued recordings: a live stream waits for no slot.
    private func beginRecordings() throws(StoreError) {
        for token in try catalog.recordings.queuedRecordings()
        where work.runs[token] == nil && locks.mayStart(token) {
            if try obstacle(to: token) == nil { try begin(token) }
        }
    }

    /// Starts the next assets of the queue.
    ///
    /// - Parameter times: a factor of the usual number of assets to look at. It grows while the first ones of the queue
    ///   have to wait.
    /// - Returns: whether to look at more assets: some of these have to wait for a reason that may not concern the next
    ///   ones.
    private func takeNext(times: Int) throws(StoreError) -> Bool {
        let others = work.runs.count - work.resolutions.count + locks.count
        let limit = (admission.policy.maximumDownloads + ActiveWork.resolvedAhead) * times + others
        var late: [WaitReason: [AssetToken]] = [:]
        for entry in try catalog.queue.entries(limit: max(0, limit)) where locks.mayStart(entry.token) {
            do throws(StoreError) {
                if let reason = try take(entry) { late[reason, default: []].append(entry.token) }
            } catch {
                // Paused or removed since it was looked up.
                guard case .wrongState = error.code else { throw error }
            }
        }
        for (reason, tokens) in late { try wait(tokens, for: reason) }
        if late.keys.contains(where: { $0 != .disk }) { return true }
        // Further assets that fit are found by later calls.
        guard late[.disk] != nil, times < Self.looksForRoom else { return false }
        return try admission.roomLeft(beside: work.running) != nil
    }

    private static let looksForRoom = 8

    /// - Returns: the reason why it has to wait; `nil` when it was started, or no slot is free.
    private func take(_ entry: QueueEntry) throws(StoreError) -> WaitReason? {
        guard work.hasPlace(for: entry, of: admission.policy.maximumDownloads) else { return nil }
        if work.runs[entry.token] == nil, let reason = try obstacle(to: entry.token) { return reason }
        if entry.isUnresolved {
            try resolve(entry)
        } else {
            try begin(entry.token)
        }
        return nil
    }

    /// Why a download can't begin now; `nil` when it can.
    func obstacle(to token: AssetToken) throws(StoreError) -> WaitReason? {
        try admission.obstacle(
            to: token, beside: work.running, isPostponed: postponements.isOpen(token, now: uptime))
    }

    private func wait(_ tokens: [AssetToken], for reason: WaitReason) throws(StoreError) {
        _ = try catalog.assets.apply(
            .yield, to: tokens, TransitionDetail(reason: .waits(reason), now: now))
        if reason == .origin { for token in tokens { notices.noteHold(token, postponements[token]) } }
        watch()
    }

    private func begin(_ token: AssetToken) throws(StoreError) {
        Trace.pass(.begin, "\(token)")
        // A run that serves only players ends first. Its end calls `sync`, which comes back here.
        if let run = work.runs[token] { return run.isFallback ? run.task.cancel() : () }
        try apply(.begin, to: token)
        postponements.forget(token)
        ends.forget(token)
        expireOldAddress(of: token)
        run(token, .everything)
        watch()
    }

    private func run(_ token: AssetToken, _ scope: AssetDownload.Scope) {
        let meter = ByteMeter()
        if scope == .everything { parts.board.enter(.transferring, token) }
        let task = Task(executorPreference: WorkThreads.runs) {
            await self.download(token, meter, scope: scope)
        }
        work.begin(token, ActiveWork.Run(task: task, meter: meter, isFallback: scope == .demanded))
    }

    /// Starts the download of an asset for a player that waits for a unit, even without a free slot. Of an asset that
    /// is not queued, only the units that players want are fetched. Nothing is fetched of an asset that is being
    /// changed.
    package func demanded(_ key: UnitKey) {
        Trace.pass(.demanded, key.traced)
        guard work.runs[key.token] == nil, isStopping || !locks.isChanging(key.token) else { return }
        if (try? beginForPlayer(key.token)) != true { parts.demand.arriving.abandon(key) }
    }

    /// Starts a run that may bring a unit that a player waits for.
    ///
    /// - Returns: whether a run was started.
    private func beginForPlayer(_ token: AssetToken) throws(StoreError) -> Bool {
        guard !isStopping, let asset = try catalog.assets.asset(token) else { return false }
        if asset.waitsForTurnOnly {
            try begin(token)
            return true
        }
        switch asset.state {
        case .downloading, .resolving, .removing: return false
        case .queued, .paused, .cancelled, .failed, .complete:
            let mayFallBack = parts.network.mayFallBack
            if mayFallBack { run(token, .demanded) }
            return mayFallBack
        }
    }
}

// MARK: - Running

extension DownloadEngine {
    private func download(_ token: AssetToken, _ meter: ByteMeter, scope: AssetDownload.Scope) async {
        var failure: StoreError?
        do throws(StoreError) {
            let asset = try catalog.assets.asset(token)
            let access = try asset.map { record throws(StoreError) in try vault.access(of: record) }
            limit(token, to: asset?.rateLimit ?? access?.rateLimit)
            let origin = try parts.origins.origin(
                access ?? OriginAccess(), of: asset?.sourceURL ?? "", rateGroup: token.description,
                asset: token)
            if let drift = try await drift(of: token, origin) { throw drift }
            try await AssetDownload(
                token, origin: origin, meter: meter, parts: parts, scope: scope, vault: vault
            ).run()
        } catch {
            failure = error
        }
        finish(token, failure)
    }

    /// The error when the origin has another stream now than the stored one; `nil` when it has the same. The check is
    /// made once after each request to start the asset, and after each start of the engine.
    private func drift(of token: AssetToken, _ origin: Origin) async throws(StoreError) -> StoreError? {
        guard driftLooks.begin(token) else { return nil }
        let clock = parts.store.clock
        let check = DriftCheck(token: token, catalog: catalog, origin: origin) { clock.now }
        let finding: StoreError?
        finding = try await check.finding()
        // The next run makes the check again.
        if finding != nil || Task.isCancelled { driftLooks.forget(token) }
        return finding
    }

    /// Limits the bytes per second of all transfers of an asset together.
    ///
    /// - Parameter rate: bytes; 0 is no limit.
    func limit(_ token: AssetToken, to rate: UInt64?) {
        parts.origins.loop.limit { $0.groups[token.description] = rate == 0 ? nil : rate }
    }

    func finish(_ token: AssetToken, _ failure: StoreError?) {
        Trace.pass(.finish, "\(token)")
        let run = work.endRun(of: token)
        // Only bytes that were kept count as progress: bytes that were thrown away would come from each new address
        // again.
        if run?.meter.hasKept == true { refreshes.forget(token) }
        parts.board.end(token)
        limit(token, to: nil)
        parts.demand.arriving.abandonAll(of: token, failure)
        if run?.isFallback != true {
            conclude(token, failure)
            parts.owner.owner?.hasEnded(token)
        }
        sync()
        settle(token)
    }

    /// Writes the end of a download, now or, on a full disk, as soon as the catalog can be written.
    func conclude(_ token: AssetToken, _ failure: StoreError?) {
        do throws(StoreError) {
            try record(token, failure)
        } catch {
            ends.keep(token, failure, because: error)
            watch()
            log.error(
                "cannot record the end of a download",
                metadata: ["token": "\(token)", "error": "\(error.message)"])
        }
    }

    /// Repeats writes that the catalog refused, on a full disk, for example.
    ///
    /// - Returns: whether a write has failed again.
    package func catchUp() -> Bool {
        for (token, failure) in ends.all where (try? record(token, failure)) != nil {
            ends.forget(token)
            isBehind = true
            settle(token)
        }
        if isBehind {
            isBehind = false
            sync()
        }
        return isBehind || !ends.isEmpty
    }

    /// Records the end of a run. If the asset was paused or removed meanwhile, that state stays.
    private func record(_ token: AssetToken, _ failure: StoreError?) throws(StoreError) {
        let outcome = failure.map { self.outcome(of: token, $0) } ?? RunOutcome.complete
        defer { work.forgetReason(of: token) }
        defer { if !outcome.goesOn { parts.healing.forget(token) } }
        do throws(StoreError) {
            try catalog.assets.apply(outcome.action, to: token, outcome.detail(of: token, now: now))
        } catch {
            switch error.code {
            case .wrongState, .noSuchAsset: return
            default:
                // The end is recorded again later, and the link resolver is asked then.
                if case .refused(let refusal) = outcome, !refusal.isFinal {
                    parts.healing.links.putBack(token)
                }
                throw error
            }
        }
        if case .refused(let refusal) = outcome { refresh(token, refusal) }
    }

    /// The outcome of a run that ended with an error.
    private func outcome(of token: AssetToken, _ failure: StoreError) -> RunOutcome {
        if failure.isStopped { return .queued(work.reason(of: token).map { .waits($0) } ?? .slot) }
        if let reason = waitReason(token, failure) {
            log.warning(
                "download waits",
                metadata: [
                    "token": "\(token)", "reason": "\(reason.rawValue)", "error": "\(failure.message)",
                ])
            noteWait(token, failure)
            watch()
            return .queued(.waits(reason))
        }
        if let refusal = refusal(token, failure) { return .refused(refusal) }
        log.warning(
            "download failed",
            metadata: ["token": "\(token)", "error": "\(failure.at(.asset(token)).message)"])
        return .failed(failure)
    }

    /// The reason for which a failed download waits and goes on later; `nil` when it does not.
    package func waitReason(_ token: AssetToken, _ failure: StoreError) -> WaitReason? {
        if parts.healing.outages.take(token) {
            postponements.postpone(token, after: failure, now: uptime)
        }
        return admission.hindrance(token, failure) ?? (postponements.contains(token) ? .origin : nil)
    }

    /// The refusal for which to ask for a fresh address; `nil` when not to ask. It is asked for once, until media come
    /// again or the asset is started again. Recordings and optional renditions ask by themselves (`links`); without an
    /// answer their asset goes on.
    private func refusal(_ token: AssetToken, _ failure: StoreError) -> AddressRefreshes.Refusal? {
        if parts.healing.links.take(token) {
            return AddressRefreshes.Refusal(reason: failure, isFinal: false)
        }
        let isFirst = failure.errorClass == .auth && refreshes.mayHaveExpired(token) && !isRecording(token)
        return isFirst ? AddressRefreshes.Refusal(reason: failure, isFinal: true) : nil
    }

    /// Whether an asset is a recording that may go on.
    func isRecording(_ token: AssetToken) -> Bool {
        (try? catalog.recordings.recording(of: token))??.isOpen == true
    }

    /// The error of a download whose end could not be written to the catalog.
    package func unrecordedFailure(of token: AssetToken) -> StoreError? { ends.failure(of: token) }
}
