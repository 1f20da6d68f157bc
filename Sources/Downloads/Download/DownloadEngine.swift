package import Locking
package import Logging
package import Transfers

/// Runs the downloads of a store: `sync` makes what runs agree with what the catalog wants.
///
/// It writes to the catalog, which flushes: it has a thread of its own, and its runs have some, so that neither keeps a
/// task of another kind from running.
package actor DownloadEngine {
    private nonisolated let thread = SerialWork("downloads")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }
    /// Where downloads and recordings run.
    static let threads = WorkPool(threads: 16)

    package let context: DownloadContext
    package let loop: TransferLoop
    private let vault: KeyVault
    package let relinker: Relinker
    package let log: Logger
    /// How often fresh addresses were asked for, of assets from which nothing has come since.
    var refreshed: [AssetToken: Refresh] = [:]
    /// What it keeps to.
    package var policy: EnginePolicy
    private var maximumDownloads: Int { policy.maximumDownloads }
    package var running: [AssetToken: Running] = [:]
    /// Assets whose origin was asked whether it still has the same stream, since somebody last asked for them.
    package var looked: Set<AssetToken> = []
    /// Reads the playlists of an asset and enters what it consists of.
    package nonisolated let resolver = Lock<(@Sendable (AssetToken) async throws(StoreError) -> Void)?>(nil)
    /// Told of each asset whose transfers have come to an end, once that is in the catalog.
    package nonisolated let onEnd = Lock<(@Sendable (AssetToken) -> Void)?>(nil)
    /// Assets whose playlists are being read.
    package var resolving: [AssetToken: Resolution] = [:]
    /// Those who wait until the playlists of an asset have been read.
    var resolutionWaiters: [AssetToken: [AsyncStream<Void>.Continuation]] = [:]
    /// What is queued and must not start yet.
    package private(set) var held: Set<AssetToken> = []
    /// Assets whose addresses or renditions are being changed, and by how many.
    package var changing: [AssetToken: Int] = [:]
    private(set) var isStopping = false
    /// Downloads that were told to end and wait.
    package var waiting: [AssetToken: WaitReason] = [:]
    /// Queued assets whose playlists could not be read, and are tried again.
    var postponed: [AssetToken: Postponement] = [:]
    /// The last of those that wait for room that was looked at; `nil` begins with the oldest.
    var lookedAtForRoom: AssetToken?
    /// Likewise of those that wait for their origins.
    var lookedAtForOrigin: AssetToken?
    var watcher: Task<Void, Never>?
    /// Why downloads ended when not even that could be written.
    private var unrecorded: [AssetToken: StoreError] = [:]
    /// How downloads ended that the catalog says still run; written as soon as it takes it.
    private var unwritten: [AssetToken: Result<Void, StoreError>] = [:]
    /// Whether starting failed, so that it is to be tried again.
    private var isBehind = false
    private var waiters: [AssetToken: [CheckedContinuation<Void, Never>]] = [:]

    package struct Running {
        package var task: Task<Void, Never>
        var meter: ByteMeter
        /// Fetches only what players ask for, of an asset that is not downloading.
        var isFallback = false
    }

    package init(
        context: DownloadContext, loop: TransferLoop, vault: KeyVault, policy: EnginePolicy,
        relinker: Relinker, log: Logger
    ) {
        self.relinker = relinker
        self.context = context
        self.loop = loop
        self.vault = vault
        self.policy = policy
        self.log = log
    }

    /// Starts what is queued, as far as there are free places, and reads the playlists of what is next.
    package func sync() {
        guard !isStopping else { return }
        do throws(StoreError) {
            try beginRecordings()
            var count = 1
            while try takeTurns(times: count) { count *= 2 }
        } catch {
            log.error("cannot start downloads", metadata: ["error": "\(error.message)"])
            isBehind = true
            watch()
        }
    }

    /// Takes what is next.
    ///
    /// - Parameter times: how many times as many as usual are looked at, since those before them had to wait.
    /// - Returns: whether some of it has to wait for what others may not have to wait for: those are next then.
    private func takeTurns(times: Int) throws(StoreError) -> Bool {
        let others = running.count + held.count + changing.count - resolving.count
        let limit = (maximumDownloads + Self.resolvedAhead) * times + others
        var late: [WaitReason: [AssetToken]] = [:]
        for turn in try context.catalog.queue.turns(limit: max(0, limit)) where mayStart(turn.token) {
            do throws(StoreError) {
                if let reason = try take(turn) { late[reason, default: []].append(turn.token) }
            } catch {
                // Paused or removed since it was looked up.
                guard case .wrongState = error.code else { throw error }
            }
        }
        for (reason, tokens) in late { try wait(tokens, for: reason) }
        if late.keys.contains(where: { $0 != .disk }) { return true }
        // The others that fit are found by and by.
        guard late[.disk] != nil, times < Self.looksForRoom else { return false }
        return try roomLeft() != nil
    }

    private static let looksForRoom = 8

    /// - Returns: what it has to wait for instead.
    private func take(_ turn: QueueTurn) throws(StoreError) -> WaitReason? {
        guard turn.isUnresolved ? mayResolve : downloads + resolutions(before: turn) < maximumDownloads else {
            return nil
        }
        if running[turn.token] == nil, let reason = try obstacle(to: turn.token) { return reason }
        if turn.isUnresolved {
            try resolve(turn)
        } else {
            try begin(turn.token)
        }
        return nil
    }

    private var downloads: Int { running.values.count { !$0.isFallback && !$0.meter.isHeldUp } }

    package func begin(_ token: AssetToken) throws(StoreError) {
        // What runs for players alone ends first; its end leads back here.
        if let running = running[token] { return running.isFallback ? running.task.cancel() : () }
        try context.catalog.assets.apply(.begin, to: token, TransitionDetail(now: context.clock.now))
        postponed[token] = nil
        forgetEnd(of: token)
        forgetOldRefresh(of: token)
        run(token, .everything)
        watch()
    }

    private func wait(_ tokens: [AssetToken], for reason: WaitReason) throws(StoreError) {
        _ = try context.catalog.assets.apply(
            .yield, to: tokens, TransitionDetail(reason: reason.rawValue, now: context.clock.now))
        if reason == .origin { tokens.forEach(noteHold) }
        watch()
    }

    private func run(_ token: AssetToken, _ scope: AssetDownload.Scope) {
        let meter = ByteMeter()
        if scope == .everything { context.board.enter(.transferring, token) }
        let task = Task(executorPreference: Self.threads) { await self.download(token, meter, scope) }
        running[token] = Running(task: task, meter: meter, isFallback: scope == .demanded)
    }

    /// A player waits for a unit of an asset: its download begins whether or not there is a free place. One that is
    /// not to be downloaded is asked for what players want alone, one that is being changed for nothing until that is
    /// done.
    package func demanded(_ key: UnitKey) {
        guard running[key.token] == nil, isStopping || changing[key.token] == nil else { return }
        do throws(StoreError) {
            guard !isStopping, let asset = try context.catalog.assets.asset(key.token) else {
                throw StoreError(.stopped)
            }
            switch asset.state {
            case .queued where asset.reason == nil || asset.reason == "slot": try begin(key.token)
            case .downloading, .resolving, .removing: throw StoreError(.stopped)
            case .queued, .paused, .cancelled, .failed, .complete:
                guard context.mayFallBack else { throw StoreError(.stopped) }
                run(key.token, .demanded)
            }
        } catch {
            context.arriving.abandon(key)
        }
    }

    /// Keeps assets from starting until `release`.
    package func hold(_ tokens: [AssetToken]) { held.formUnion(tokens) }

    /// Lets assets start that were held, with the next `sync`. What is asked for anew is tried anew.
    package func release(_ tokens: [AssetToken]) {
        held.subtract(tokens)
        context.board.forget(tokens)
        for token in tokens {
            postponed[token] = nil
            looked.remove(token)
            forgetRefresh(of: token)
        }
    }

    private func download(_ token: AssetToken, _ meter: ByteMeter, _ scope: AssetDownload.Scope) async {
        var failure: StoreError?
        do throws(StoreError) {
            let (access, stream) = try access(token)
            limit(token, to: try rateLimit(of: token) ?? access.rateLimit)
            let origin = try context.origin(
                access, of: stream, loop, rateGroup: token.description, asset: token)
            if let drift = try await drift(of: token, origin) { throw drift }
            let download = AssetDownload(
                token, origin: origin, meter: meter, context: context, scope: scope, vault: vault)
            try await download.run()
        } catch {
            failure = error
        }
        finish(token, failure)
    }

    private func access(_ token: AssetToken) throws(StoreError) -> (OriginAccess, stream: String) {
        guard let record = try context.catalog.assets.asset(token) else { return (OriginAccess(), "") }
        return (try vault.access(of: record), record.sourceURL)
    }

    package func finish(_ token: AssetToken, _ failure: StoreError?) {
        let isFallback = running[token]?.isFallback == true
        // What was thrown away is nothing: it would come with each address anew.
        if running[token]?.meter.hasKept == true { refreshed[token] = nil }
        running[token] = nil
        context.board.end(token)
        limit(token, to: nil)
        context.arriving.abandonAll(of: token, failure)
        if !isFallback {
            conclude(token, failure)
            onEnd.withLock(\.self)?(token)
        }
        sync()
        settle(token)
    }

    /// Writes how a download has ended, now or as soon as the catalog takes it.
    func conclude(_ token: AssetToken, _ failure: StoreError?) {
        do throws(StoreError) {
            try record(token, failure)
        } catch {
            unrecorded[token] = failure ?? error
            unwritten[token] = failure.map { .failure($0) } ?? .success(())
            watch()
            log.error(
                "cannot record the end of a download",
                metadata: ["token": "\(token)", "error": "\(error.message)"])
        }
    }

    /// Does again what the catalog did not take, on a full disk, say.
    ///
    /// - Returns: whether something is left.
    func catchUp() -> Bool {
        for (token, end) in unwritten {
            do throws(StoreError) {
                if case .failure(let failure) = end {
                    try record(token, failure)
                } else {
                    try record(token, nil)
                }
                forgetEnd(of: token)
                isBehind = true
                settle(token)
            } catch {
                continue
            }
        }
        if isBehind {
            isBehind = false
            sync()
        }
        return isBehind || !unwritten.isEmpty
    }

    /// Leaves an end unwritten: it is written, or what has begun since, or was asked for, takes its place.
    func forgetEnd(of token: AssetToken) { (unwritten[token], unrecorded[token]) = (nil, nil) }

    /// Tells those who wait for an asset, unless it goes on by itself.
    package func settle(_ token: AssetToken) {
        guard running[token] == nil, resolving[token] == nil, mayStart(token), !isWaiting(token) else {
            return
        }
        for waiter in waiters.removeValue(forKey: token) ?? [] { waiter.resume() }
    }

    /// Returns when the asset neither runs nor waits for its turn, or the engine stops.
    package func untilSettled(_ token: AssetToken) async {
        guard !isStopping, let state = try? context.catalog.assets.asset(token)?.state, !state.isTerminal,
            state != .paused
        else { return }
        await withCheckedContinuation { waiters[token, default: []].append($0) }
    }

    /// Whether an asset is in the queue and will go on by itself.
    private func isWaiting(_ token: AssetToken) -> Bool {
        guard !isStopping, let asset = (try? context.catalog.assets.asset(token)) ?? nil else { return false }
        return asset.state == .queued
    }

    /// What somebody has asked for meanwhile stands: then the end of the transfers is as it should be.
    private func record(_ token: AssetToken, _ failure: StoreError?) throws(StoreError) {
        var detail = TransitionDetail(now: context.clock.now)
        var action = AssetAction.finish
        var refused: Refusal?
        defer { waiting[token] = nil }
        defer { if action != .yield { forgetHopes(of: token) } }
        if case .stopped? = failure?.code {
            action = .yield
            detail.reason = waiting[token]?.rawValue ?? "slot"
        } else if let failure, let reason = waitReason(token, failure) {
            log.warning(
                "download waits",
                metadata: [
                    "token": "\(token)", "reason": "\(reason.rawValue)", "error": "\(failure.message)",
                ])
            action = .yield
            detail.reason = reason.rawValue
            noteWait(token, failure)
            watch()
        } else if let failure, let refusal = refusal(token, failure) {
            action = .yield
            detail.reason = AssetRecord.linkReason
            refused = refusal
        } else if let failure {
            log.warning(
                "download failed",
                metadata: ["token": "\(token)", "error": "\(failure.at(.asset(token)).message)"])
            action = .fail
            detail.failure = AssetFailure(failure.at(.asset(token)), at: detail.now)
            detail.reason = detail.failure?.errorClass
        }
        do throws(StoreError) {
            try context.catalog.assets.apply(action, to: token, detail)
        } catch {
            switch error.code {
            case .wrongState, .noSuchAsset: return
            default:
                // It is recorded again, and then asked.
                if refused?.isFinal == false { context.links.putBack(token) }
                throw error
            }
        }
        if let refused { refresh(token, refused) }
    }

    /// Why a download ended, where the catalog could not take it.
    package func unrecordedFailure(of token: AssetToken) -> StoreError? { unrecorded[token] }

    /// Ends the transfers of assets; returns when the last one is closed.
    ///
    /// - Parameter isForGood: whether they do not go on in a moment.
    package func halt(_ tokens: [AssetToken], isForGood: Bool = true) async {
        let tasks = tokens.flatMap { [running[$0]?.task, resolving[$0]?.task].compactMap(\.self) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        if isForGood { context.board.forget(tokens) }
        for token in tokens where isForGood {
            postponed[token] = nil
            looked.remove(token)
            forgetEnd(of: token)
            for waiter in waiters.removeValue(forKey: token) ?? [] { waiter.resume() }
        }
    }

    /// Ends all transfers; nothing starts any more.
    package func stop() async {
        isStopping = true
        watcher?.cancel()
        for token in changing.keys {
            context.arriving.abandonAll(of: token)
            endWaits(for: token)
        }
        let tasks = running.values.map(\.task) + resolving.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        for waiter in waiters.values.joined() { waiter.resume() }
        waiters = [:]
    }
}
