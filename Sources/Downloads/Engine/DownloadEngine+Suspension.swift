internal import Locking
internal import Transfers

/// Downloads that can't go on for now wait in the queue, with the reason, and go on by themselves.
extension DownloadEngine {
    /// Checks from time to time, while an asset runs or waits, whether conditions have changed.
    func watch() {
        guard watcher == nil, !isStopping else { return }
        watcher = Task {
            while !Task.isCancelled,
                (try? await Task.sleep(for: .seconds(parts.conditions.interval))) != nil
            {
                await parts.network.look()
                guard look() else { break }
            }
            watcher = nil
        }
    }

    /// Checks all conditions at once after a change of the network.
    package func networkChanged() {
        guard !isStopping else { return }
        look()
        watch()
    }

    /// - Returns: whether to check again later.
    @discardableResult
    private func look() -> Bool {
        putOff()
        let isBehind = catchUp()
        if work.hasIdlePlaces { sync() }
        do throws(StoreError) {
            let isWaiting = try resumeWhatMayGoOn()
            return isBehind || isWaiting || !work.isEmpty
        } catch {
            return true
        }
    }

    /// Ends runs that are no longer permitted, or that can't continue.
    private func putOff() {
        for token in work.interruptible {
            if let reason = admission.restriction(on: token) { work.putOff(token, for: reason) }
        }
        for token in work.interruptible + work.interruptibleResolutions where admission.isCutOff(token) {
            work.putOff(token, for: .network)
        }
        if (try? admission.isOverfull()) == true {
            work.putOffAll(for: .disk)
        } else {
            for token in (try? admission.unfitting(of: work.interruptible)) ?? [] {
                work.putOff(token, for: .disk)
            }
        }
    }

    /// Queues assets whose condition is met now.
    ///
    /// - Returns: whether any assets have waited.
    private func resumeWhatMayGoOn() throws(StoreError) -> Bool {
        try resume(suspended.scheduled(isOpen: admission.isOpen))
        let waitsForOrigin = try resumeAfterHolds()
        let waitsForRoom = try resumeWithRoom()
        var isWaiting = waitsForOrigin || waitsForRoom
        for reason in WaitReason.allCases where reason != .origin && reason != .disk {
            guard let first = try suspended.first(for: reason) else { continue }
            isWaiting = true
            guard reason != .schedule, try obstacle(to: first) != reason else { continue }
            try resume(suspended.all(for: reason))
        }
        return isWaiting
    }

    /// - Returns: whether any assets have waited for their origin.
    private func resumeAfterHolds() throws(StoreError) -> Bool {
        let (postponements, admission, uptime) = (postponements, admission, uptime)
        let ready = try suspended.readyForOrigin { token, url in
            postponements.isOpen(token, now: uptime) || admission.isCoolingDown(url)
        }
        try resume(ready ?? [])
        return ready != nil
    }

    /// Queues assets that waited for space, each as soon as it fits, so that a large one does not delay the others.
    /// Evictions make space for the oldest, and if nothing fits, for the smallest.
    ///
    /// - Returns: whether any assets have waited for space.
    private func resumeWithRoom() throws(StoreError) -> Bool {
        guard let oldest = try suspended.first(for: .disk) else { return false }
        if try obstacle(to: oldest) != .disk { try resume([oldest]) }
        let (tokens, wanted) = try suspended.nextForRoom()
        let fitting = RoomShare.fitting(tokens, wanted, room: try admission.roomLeft(beside: work.running))
        if !fitting.isEmpty {
            try resume(fitting)
        } else if let least = tokens.min(by: { wanted[$0, default: 0] < wanted[$1, default: 0] }),
            least != oldest, try obstacle(to: least) != .disk
        {
            try resume([least])
        }
        return true
    }

    /// Queues waiting assets.
    private func resume(_ tokens: [AssetToken]) throws(StoreError) {
        guard !tokens.isEmpty else { return }
        _ = try catalog.assets.apply(.yield, to: tokens, TransitionDetail(reason: .slot, now: now))
        sync()
    }
}

/// The times and rates of downloads: by the engine's policy and by the assets' own terms.
extension DownloadEngine {
    /// The policy of the user.
    package var policy: EnginePolicy { admission.policy }

    /// Changes the policy from now on.
    package func adopt(_ policy: EnginePolicy) {
        let loop = parts.origins.loop
        if policy.transfersPerAsset != admission.policy.transfersPerAsset {
            parts.transferLimit.withLock { $0 = policy.transfersPerAsset }
            loop.limitTransfers(perHost: policy.transfersPerAsset)
        }
        admission.policy = policy
        loop.limit { limits in
            (limits.total, limits.perHost) = (policy.rateLimit, policy.rateLimitPerHost)
        }
        look()
        sync()
    }

    /// Takes an asset's own terms, which have changed.
    package func reconsider(_ token: AssetToken) throws(StoreError) {
        guard let asset = try catalog.assets.asset(token) else { return }
        if work.runs[token] != nil { limit(token, to: asset.rateLimit) }
        if asset.state == .queued, [.waits(.schedule), .waits(.metered)].contains(asset.stateReason) {
            try apply(.yield, to: token, .slot)
        }
        for token in work.interruptible {
            if let reason = admission.restriction(on: token) { work.putOff(token, for: reason) }
        }
        sync()
    }
}
