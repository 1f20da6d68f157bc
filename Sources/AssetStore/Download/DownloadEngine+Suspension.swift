/// Downloads that can't go on for now wait in the queue, with the reason, and go on by themselves.
extension DownloadEngine {
    /// Why a download can't begin now; `nil` when it can. The bytes that it and those that run still want are
    /// counted as taken.
    func obstacle(to token: AssetToken) throws(StoreError) -> WaitReason? {
        guard let asset = try context.catalog.asset(token) else { return nil }
        if let reason = restriction(on: asset) { return reason }
        if context.holds.window(for: asset.sourceURL) != nil, try context.catalog.isUnresolved(token) {
            return .origin
        }
        guard context.conditions.isOnline(asset.sourceURL) else { return .network }
        let wanted = try context.catalog.missingBytes(of: [token] + Array(running.keys))
        return try context.storage.makesRoom(for: wanted) ? nil : .disk
    }

    /// Why a download that failed may go on later; `nil` when the failure is its own.
    func waitReason(_ token: AssetToken, _ failure: StoreError) -> WaitReason? {
        switch failure.code {
        case .diskFull: return .disk
        case .transfer where failure.isRetryable:
            let url = (try? context.catalog.asset(token))??.sourceURL
            return url.map(context.conditions.isOnline) == false ? .network : nil
        default: return nil
        }
    }

    /// Looks from time to time, while something runs or waits, whether things have changed.
    func watch() {
        guard watcher == nil, !isStopping else { return }
        watcher = Task {
            while !Task.isCancelled,
                (try? await Task.sleep(for: .seconds(context.conditions.interval))) != nil
            {
                await context.lookAtConnection()
                guard look() else { break }
            }
            watcher = nil
        }
    }

    /// - Returns: whether there is anything to look after.
    @discardableResult
    func look() -> Bool {
        putOffRestricted()
        if (try? context.storage.isOverfull()) == true {
            for (token, download) in running where !download.isFallback {
                waiting[token] = .disk
                download.task.cancel()
            }
        }
        let isBehind = catchUp()
        if resolving.values.contains(where: \.isSlow) || running.values.contains(where: \.meter.isHeldUp) {
            sync()
        }
        do throws(StoreError) {
            var isWaiting = false
            try resumeScheduled()
            try resumeAfterHolds()
            for reason in WaitReason.allCases {
                guard let first = try context.catalog.waiting(for: reason, limit: 1).first else { continue }
                isWaiting = true
                guard reason != .schedule, try obstacle(to: first) != reason else { continue }
                try resume(try context.catalog.waiting(for: reason, limit: .max))
            }
            return isBehind || isWaiting || !running.isEmpty || !resolving.isEmpty
        } catch {
            return true
        }
    }

    /// Queues what waited for hosts, when one may be asked again.
    private func resumeAfterHolds() throws(StoreError) {
        let hosts = context.holds.hosts
        let isOver = !heldHosts.isSubset(of: hosts)
        heldHosts = hosts
        if isOver { try resume(try context.catalog.waiting(for: .origin, limit: .max)) }
    }

    /// Queues what waited.
    func resume(_ tokens: [AssetToken]) throws(StoreError) {
        _ = try context.catalog.apply(
            .yield, to: tokens, TransitionDetail(reason: "slot", now: context.clock.now))
        sync()
    }
}

/// Why an asset waits although there may be a place for it.
enum WaitReason: String, Sendable, CaseIterable {
    /// There is no way to its origin.
    case network
    /// There is no room for it.
    case disk
    /// The connection costs by volume.
    case metered
    /// It is not its time.
    case schedule
    /// Its origin has asked to be left alone for a while.
    case origin
}
