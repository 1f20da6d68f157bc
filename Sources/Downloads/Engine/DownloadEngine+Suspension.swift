internal import Locking
internal import Transfers

/// Downloads that can't go on for now wait in the queue, with the reason, and go on by themselves.
extension DownloadEngine {
    /// Looks from time to time, while something runs or waits, whether things have changed.
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

    /// Looks at everything at once: the machine has another way to the network, or none.
    package func networkChanged() {
        guard !isStopping else { return }
        look()
        watch()
    }

    /// - Returns: whether there is anything to look after.
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

    /// Ends what runs and may not any more, or can't go on.
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

    /// Queues what waited for something that is so now.
    ///
    /// - Returns: whether anything has waited.
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

    /// - Returns: whether anything has waited for its origin.
    private func resumeAfterHolds() throws(StoreError) -> Bool {
        let (postponements, admission, uptime) = (postponements, admission, uptime)
        let ready = try suspended.readyForOrigin { token, url in
            postponements.isOpen(token, now: uptime) || admission.isCoolingDown(url)
        }
        try resume(ready ?? [])
        return ready != nil
    }

    /// Queues what waited for room, each as soon as it fits, so that nothing waits because something larger does. What
    /// the policy lets go makes room for the oldest, and when nothing fits, for what wants the least.
    ///
    /// - Returns: whether anything has waited for room.
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

    /// Queues what waited.
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

    /// Keeps to another policy from now on.
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
