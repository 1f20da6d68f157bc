internal import Locking
internal import Transfers

/// When and how fast assets are downloaded: by the engine's policy and by their own terms.
extension DownloadEngine {
    /// Keeps to another policy from now on.
    package func adopt(_ policy: EnginePolicy) {
        if policy.transfersPerAsset != self.policy.transfersPerAsset {
            context.transferLimit.withLock { $0 = policy.transfersPerAsset }
            loop.limitTransfers(perHost: policy.transfersPerAsset)
        }
        self.policy = policy
        loop.limit { limits in
            (limits.total, limits.perHost) = (policy.rateLimit, policy.rateLimitPerHost)
        }
        look()
        sync()
    }

    /// The terms of an asset have changed.
    package func reconsider(_ token: AssetToken) throws(StoreError) {
        guard let asset = try context.catalog.assets.asset(token) else { return }
        if running[token] != nil { limit(token, to: asset.rateLimit) }
        if asset.state == .queued, [.waits(.schedule), .waits(.metered)].contains(asset.stateReason) {
            let detail = TransitionDetail(reason: .slot, now: context.clock.now)
            try context.catalog.assets.apply(.yield, to: token, detail)
        }
        putOffRestricted()
        sync()
    }

    /// Bytes a second that an asset may take; 0 is no limit.
    package func rateLimit(of token: AssetToken) throws(StoreError) -> UInt64? {
        try context.catalog.assets.asset(token)?.rateLimit
    }

    /// Limits what all transfers of an asset together take a second.
    package func limit(_ token: AssetToken, to rate: UInt64?) {
        loop.limit { $0.groups[token.description] = rate == 0 ? nil : rate }
    }

    /// Why an asset may not be downloaded now; `nil` when it may.
    func restriction(on asset: AssetRecord) -> WaitReason? {
        let minute = context.conditions.minuteOfDay(context.clock.now)
        guard (asset.schedule ?? policy.schedule).isOpen(atMinute: minute) else { return .schedule }
        let mayUseMetered = asset.isMeteredOK || policy.mayUseMetered
        return !mayUseMetered && context.isMetered() ? .metered : nil
    }

    /// Ends what runs and may not any more.
    func putOffRestricted() {
        for (token, download) in running where !download.isFallback && waiting[token] == nil {
            guard let asset = (try? context.catalog.assets.asset(token)) ?? nil,
                let reason = restriction(on: asset)
            else { continue }
            waiting[token] = reason
            download.task.cancel()
        }
    }

    /// Queues what waited for a time that has come.
    func resumeScheduled() throws(StoreError) {
        let minute = context.conditions.minuteOfDay(context.clock.now)
        for schedule in try context.catalog.queue.waitingSchedules()
        where (schedule ?? policy.schedule).isOpen(atMinute: minute) {
            try resume(try context.catalog.queue.waiting(forScheduled: schedule))
        }
    }
}
