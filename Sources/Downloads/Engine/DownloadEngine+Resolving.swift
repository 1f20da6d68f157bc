/// Assets are entered without a look at their streams; their playlists are read when their turn is near.
extension DownloadEngine {
    /// Reads the playlists of a queued asset.
    func resolve(_ entry: QueueEntry) throws(StoreError) {
        let token = entry.token
        try apply(.resolve, to: token)
        ends.forget(token)
        expireOldAddress(of: token)
        parts.board.enter(.resolving, token)
        let task = Task(executorPreference: WorkThreads.runs) { await self.runResolution(of: token) }
        work.begin(token, ActiveWork.Resolution(task: task, entry: entry))
        watch()
    }

    private func runResolution(of token: AssetToken) async {
        do throws(StoreError) {
            guard let owner = parts.owner.owner else { throw StoreError(.stopped(.closing)) }
            try await owner.resolve(token)
            endResolution(of: token, nil)
        } catch {
            endResolution(of: token, error)
        }
    }

    private func endResolution(of token: AssetToken, _ failure: StoreError?) {
        work.endResolution(of: token)
        // Waiters for an asset that is being changed stay until the change ends.
        let isAwaited = !locks.isChanging(token) || isStopping ? waiters.readPlaylists(of: token) : false
        guard let failure else {
            postponements.forget(token)
            work.forgetReason(of: token)
            parts.board.end(token)
            return sync()
        }
        // Waiting callers are told at once. A failure of this machine is no failure of the origin.
        let isFirst = isAwaited && !postponements.contains(token)
        if isFirst || admission.hindrance(token, failure) != nil {
            postponements.forget(token)
        } else {
            postponements.failed(token, failure, now: uptime)
        }
        finish(token, failure)
    }

    /// Resolves an asset now, or after a change of it has ended, before its turn, unless it waits for a reason other
    /// than its turn.
    ///
    /// - Returns: a stream that ends when the playlists have been read, or can't be read now.
    package func resolution(of token: AssetToken) -> AsyncStream<Void> {
        let ends = waiters.playlists(of: token)
        if !locks.isChanging(token) || isStopping { resolveAwaited(token) }
        return ends
    }

    /// Whether a caller waits for the playlists of an asset.
    package func isResolutionAwaited(_ token: AssetToken) -> Bool { waiters.waitsForPlaylists(of: token) }

    /// Resolves an asset for which a caller waits, or tells waiting callers that this is not possible now.
    func resolveAwaited(_ token: AssetToken) {
        guard work.resolutions[token] == nil, waiters.waitsForPlaylists(of: token) else { return }
        try? expedite(token)
        if work.resolutions[token] == nil { waiters.readPlaylists(of: token) }
    }

    private func expedite(_ token: AssetToken) throws(StoreError) {
        guard !isStopping, !locks.isChanging(token), work.mayResolveForPlayer,
            let asset = try catalog.assets.asset(token), asset.state == .queued,
            try catalog.queue.isUnresolved(token)
        else { return }
        let isPostponed = asset.stateReason == .waits(.origin) && postponements.contains(token)
        let mayAsk = isPostponed && !admission.isCoolingDown(asset.sourceURL)
        guard asset.stateReason == .slot || mayAsk || parts.network.mayFallBack else { return }
        try resolve(QueueEntry(token: token, priority: asset.priority, isUnresolved: true))
    }
}
