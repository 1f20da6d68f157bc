internal import Locking

/// Assets are entered without a look at their streams; their playlists are read when their turn is near.
extension DownloadEngine {
    /// How many assets beyond the free places have their playlists read.
    static let resolvedAhead = 4
    /// How many assets have their playlists read at once.
    static let resolutionsAtOnce = 4
    /// Likewise, when players wait for them.
    static let resolutionsForPlayers = 16

    /// Whether another asset may have its playlists read now.
    var mayResolve: Bool { resolving.count < Self.resolutionsAtOnce }

    /// Seconds for which an asset whose playlists are being read keeps the place that is its own.
    static let reservation = 5.0

    /// An asset whose playlists are being read.
    package struct Resolution {
        package var task: Task<Void, Never>
        package var turn: QueueTurn
        package var since: Double

        /// Whether it has taken so long that others need not wait for it.
        var isSlow: Bool { SteadyClock.seconds - since > DownloadEngine.reservation }
    }

    /// How many assets that come before another are about to want places.
    func resolutions(before turn: QueueTurn) -> Int {
        resolving.values.count { $0.turn < turn && !$0.isSlow }
    }

    /// Reads the playlists of a queued asset.
    package func resolve(_ turn: QueueTurn) throws(StoreError) {
        let token = turn.token
        try context.catalog.assets.apply(.resolve, to: token, TransitionDetail(now: context.clock.now))
        forgetEnd(of: token)
        forgetOldRefresh(of: token)
        context.board.enter(.resolving, token)
        let task = Task(executorPreference: Self.threads) { await self.runResolution(of: token) }
        resolving[token] = Resolution(task: task, turn: turn, since: SteadyClock.seconds)
        watch()
    }

    private func runResolution(of token: AssetToken) async {
        do throws(StoreError) {
            guard let resolver = resolver.withLock(\.self) else { throw StoreError(.stopped(.closing)) }
            try await resolver(token)
            endResolution(of: token, nil)
        } catch {
            endResolution(of: token, error)
        }
    }

    private func endResolution(of token: AssetToken, _ failure: StoreError?) {
        resolving[token] = nil
        // Who waits for what is being changed waits for the end of that.
        let isAwaited = changing[token] == nil || isStopping ? endWaits(for: token) : false
        guard let failure else {
            (postponed[token], waiting[token]) = (nil, nil)
            context.board.end(token)
            return sync()
        }
        // Who waits is told at once, and what this machine lacks says nothing of the origin.
        let isFinal = isAwaited && postponed[token] == nil || hindrance(token, failure) != nil
        postponed[token] = isFinal ? nil : postponement(of: token, after: failure)
        finish(token, failure)
    }

    /// - Returns: whether somebody has waited until now.
    @discardableResult
    func endWaits(for token: AssetToken) -> Bool {
        var isAwaited = false
        for waiter in resolutionWaiters.removeValue(forKey: token) ?? [] {
            // One whose reader is gone takes nothing any more.
            if case .enqueued = waiter.yield() { isAwaited = true }
            waiter.finish()
        }
        return isAwaited
    }

    /// When an asset is tried again; `nil` when it is not.
    private func postponement(of token: AssetToken, after failure: StoreError) -> Postponement? {
        var postponement = postponed[token] ?? Postponement()
        return postponement.failed(failure, now: context.clock.uptime) ? postponement : nil
    }

    /// Reads the playlists of an asset now, or when it is not being changed any more, whatever its turn, unless it waits
    /// for something else than that.
    ///
    /// - Returns: what ends when they have been read, or can't be now.
    package func resolution(of token: AssetToken) -> AsyncStream<Void> {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        resolutionWaiters[token, default: []].append(continuation)
        if changing[token] == nil || isStopping { resolveAwaited(token) }
        return ends
    }

    /// Has the playlists of an asset read for which somebody waits, or tells those who wait that they can't be now.
    func resolveAwaited(_ token: AssetToken) {
        guard resolving[token] == nil, resolutionWaiters[token] != nil else { return }
        try? expedite(token)
        if resolving[token] == nil { endWaits(for: token) }
    }

    private func expedite(_ token: AssetToken) throws(StoreError) {
        guard !isStopping, changing[token] == nil, resolving.count < Self.resolutionsForPlayers,
            let asset = try context.catalog.assets.asset(token), asset.state == .queued,
            try context.catalog.queue.isUnresolved(token)
        else { return }
        let isPostponed = asset.stateReason == .waits(.origin) && postponed[token] != nil
        let mayAsk = isPostponed && context.holds.window(for: asset.sourceURL) == nil
        guard asset.stateReason == .slot || mayAsk || context.mayFallBack else { return }
        try resolve(QueueTurn(token: token, priority: asset.priority, isUnresolved: true))
    }
}
