/// The requests of others to the engine.
extension DownloadEngine {
    /// The assets that must not start yet.
    package var held: Set<AssetToken> { locks.held }

    /// Keeps assets from starting until `release`.
    package func hold(_ tokens: [AssetToken]) { locks.hold(tokens) }

    /// Lets held assets start with the next `sync`. Postponements and other memories of failures end.
    package func release(_ tokens: [AssetToken]) {
        locks.release(tokens)
        parts.board.forget(tokens)
        for token in tokens {
            postponements.forget(token)
            driftLooks.forget(token)
            refreshes.forget(token)
            if work.runs[token] == nil { parts.healing.forget(token) }
        }
    }

    /// Keeps an asset from starting, also for players, until `endChange`. Several may change it at once.
    package func beginChange(of token: AssetToken) { locks.beginChange(of: token) }

    /// Lets an asset start, without memories of failures. If nothing runs for waiting players now, their units are
    /// looked up again. If callers wait for its playlists, these are read.
    ///
    /// - Parameter syncs: whether queued assets start if slots are free.
    package func endChange(of token: AssetToken, syncs: Bool = true) {
        let isOver = locks.endChange(of: token)
        postponements.forget(token)
        if syncs { sync() }
        guard isOver else { return }
        resolveAwaited(token)
        guard work.runs[token] == nil else { return }
        parts.demand.arriving.abandonAll(of: token)
        settle(token)
    }

    /// Tells waiting callers that an asset has come to rest, unless it continues by itself.
    func settle(_ token: AssetToken) {
        guard !work.isAt(token), locks.mayStart(token), !isWaiting(token) else { return }
        waiters.ended(token)
    }

    /// Returns when the asset neither runs nor waits for its turn, or the engine stops.
    package func untilSettled(_ token: AssetToken) async {
        guard !isStopping, let state = try? catalog.assets.asset(token)?.state, !state.isTerminal,
            state != .paused
        else { return }
        await withCheckedContinuation { waiters.add($0, forEndOf: token) }
    }

    /// Whether an asset is in the queue and will continue by itself.
    private func isWaiting(_ token: AssetToken) -> Bool {
        guard !isStopping, let asset = (try? catalog.assets.asset(token)) ?? nil else { return false }
        return asset.state == .queued
    }

    /// Ends the transfers of assets; returns when the last one is closed.
    ///
    /// - Parameter isForGood: whether they do not go on in a moment.
    package func halt(_ tokens: [AssetToken], isForGood: Bool = true) async {
        let tasks = work.tasks(of: tokens)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        guard isForGood else { return }
        parts.board.forget(tokens)
        for token in tokens {
            postponements.forget(token)
            driftLooks.forget(token)
            ends.forget(token)
            waiters.ended(token)
        }
    }

    /// Ends all transfers; no download starts afterwards.
    package func stop() async {
        isStopping = true
        watcher?.cancel()
        for token in locks.changing {
            parts.demand.arriving.abandonAll(of: token)
            waiters.readPlaylists(of: token)
        }
        let tasks = work.tasks
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        waiters.endedAll()
    }
}
