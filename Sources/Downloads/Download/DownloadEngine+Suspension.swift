/// Downloads that can't go on for now wait in the queue, with the reason, and go on by themselves.
extension DownloadEngine {
    /// Why a download can't begin now; `nil` when it can. The bytes that it and those that run still want are
    /// counted as taken.
    package func obstacle(to token: AssetToken) throws(StoreError) -> WaitReason? {
        guard let asset = try context.catalog.assets.asset(token) else { return nil }
        if let reason = restriction(on: asset) { return reason }
        if isPutOff(token, from: asset.sourceURL), try context.catalog.queue.isUnresolved(token) {
            return .origin
        }
        guard context.conditions.isOnline(asset.sourceURL) else { return .network }
        let wanted = try context.catalog.assets.missingBytes(of: [token] + Array(running.keys))
        return try context.storage.makesRoom(for: wanted) ? nil : .disk
    }

    /// Whether the playlists of an asset are not to be asked for now: their host wants to be left alone, or they could
    /// not be read lately.
    private func isPutOff(_ token: AssetToken, from url: String) -> Bool {
        if let postponement = postponed[token], postponement.until > context.clock.uptime { return true }
        return context.holds.window(for: url) != nil
    }

    /// Why a download that failed may go on later; `nil` when it does not.
    func waitReason(_ token: AssetToken, _ failure: StoreError) -> WaitReason? {
        if context.outages.take(token) {
            postponed[token] = Postponement(after: failure, now: context.clock.uptime)
        }
        return hindrance(token, failure) ?? (postponed[token] == nil ? nil : .origin)
    }

    /// What on this machine a download has failed for; `nil` when the failure is its own.
    func hindrance(_ token: AssetToken, _ failure: StoreError) -> WaitReason? {
        switch failure.code {
        case .diskFull: return .disk
        case .tooManyFiles: return .files
        case .transfer where failure.isRetryable:
            let url = (try? context.catalog.assets.asset(token))??.sourceURL
            return url.map(context.conditions.isOnline) == false ? .network : nil
        default: return nil
        }
    }

    /// Looks from time to time, while something runs or waits, whether things have changed.
    package func watch() {
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
    package func look() -> Bool {
        putOffRestricted()
        putOffCutOff()
        if (try? context.storage.isOverfull()) == true {
            for (token, download) in running where !download.isFallback {
                waiting[token] = .disk
                download.task.cancel()
            }
        } else {
            try? putOffWithoutRoom()
        }
        let isBehind = catchUp()
        if resolving.values.contains(where: \.isSlow) || running.values.contains(where: \.meter.isHeldUp) {
            sync()
        }
        do throws(StoreError) {
            try resumeScheduled()
            let waitsForOrigin = try resumeAfterHolds()
            let waitsForRoom = try resumeWithRoom()
            var isWaiting = waitsForOrigin || waitsForRoom
            for reason in WaitReason.allCases where reason != .origin && reason != .disk {
                guard let first = try context.catalog.queue.waiting(for: reason, limit: 1).first else {
                    continue
                }
                isWaiting = true
                guard reason != .schedule, try obstacle(to: first) != reason else { continue }
                try resume(try context.catalog.queue.waiting(for: reason, limit: .max))
            }
            return isBehind || isWaiting || !running.isEmpty || !resolving.isEmpty
        } catch {
            return true
        }
    }

    /// How many of those that wait for their origins are looked at in one go, and how many of them are queued at once:
    /// should it want to be left alone again, few have to be put off again.
    private static let originLooks = 256
    private static let resumedAtOnce = 32

    /// Queues what waited for its origin and need not any more.
    ///
    /// - Returns: whether anything has waited for that.
    private func resumeAfterHolds() throws(StoreError) -> Bool {
        let waiting = try nextForOrigin()
        var ready: [AssetToken] = []
        for (token, url) in waiting where ready.count < Self.resumedAtOnce && !isPutOff(token, from: url) {
            ready.append(token)
        }
        if !ready.isEmpty { try resume(ready) }
        return !waiting.isEmpty
    }

    /// Some of those that wait for their origins: with each call others, until all had their turn.
    private func nextForOrigin() throws(StoreError) -> [(token: AssetToken, url: String)] {
        var waiting = try context.catalog.queue.waitingForOrigin(
            after: lookedAtForOrigin, limit: Self.originLooks)
        if waiting.isEmpty, lookedAtForOrigin != nil {
            waiting = try context.catalog.queue.waitingForOrigin(after: nil, limit: Self.originLooks)
        }
        lookedAtForOrigin = waiting.count < Self.originLooks ? nil : waiting.last?.token
        return waiting
    }

    /// How many of those that wait for room are looked at in one go.
    private static let roomLooks = 256

    /// Bytes that fit beside what those that run still want; `nil` when not even that fits.
    func roomLeft() throws(StoreError) -> UInt64? {
        let taken = try context.catalog.assets.missingBytes(of: Array(running.keys))
        guard let room = try context.storage.room(), room >= taken else { return nil }
        return room - taken
    }

    /// Queues what waited for room, each as soon as it fits, so that nothing waits because something larger does. What
    /// the policy lets go makes room for the oldest, and when nothing fits, for what wants the least.
    ///
    /// - Returns: whether anything has waited for room.
    private func resumeWithRoom() throws(StoreError) -> Bool {
        guard let oldest = try context.catalog.queue.waiting(for: .disk, limit: 1).first else { return false }
        if try obstacle(to: oldest) != .disk { try resume([oldest]) }
        let tokens = try nextForRoom()
        let wanted = try context.catalog.assets.missingBytes(ofEach: tokens)
        var left = try roomLeft()
        let fitting = tokens.filter { token in
            guard let room = left, wanted[token, default: 0] <= room else { return false }
            left = room - wanted[token, default: 0]
            return true
        }
        if !fitting.isEmpty {
            try resume(fitting)
        } else if let least = tokens.min(by: { wanted[$0, default: 0] < wanted[$1, default: 0] }),
            least != oldest, try obstacle(to: least) != .disk
        {
            try resume([least])
        }
        return true
    }

    /// Some of those that wait for room: with each call others, until all had their turn.
    private func nextForRoom() throws(StoreError) -> [AssetToken] {
        let tokens = try context.catalog.queue.waiting(
            for: .disk, after: lookedAtForRoom, limit: Self.roomLooks)
        lookedAtForRoom = tokens.count < Self.roomLooks ? nil : tokens.last
        return tokens
    }

    /// Queues what waited.
    package func resume(_ tokens: [AssetToken]) throws(StoreError) {
        _ = try context.catalog.assets.apply(
            .yield, to: tokens, TransitionDetail(reason: .slot, now: context.clock.now))
        sync()
    }
}
