/// Decides whether an asset may be downloaded now, and otherwise for which reason it waits.
package struct Admission: Sendable {
    private let store: StoreAccess
    private let storage: StorageKeeper
    private let cooldowns: HostCooldowns
    private let conditions: EngineConditions
    private let network: NetworkUse
    private let bucket: BucketMedia?
    /// The policy of the user.
    var policy: EnginePolicy

    init(
        store: StoreAccess, storage: StorageKeeper, cooldowns: HostCooldowns, conditions: EngineConditions,
        network: NetworkUse, policy: EnginePolicy, bucket: BucketMedia? = nil
    ) {
        self.bucket = bucket
        (self.store, self.storage, self.cooldowns) = (store, storage, cooldowns)
        (self.conditions, self.network, self.policy) = (conditions, network, policy)
    }

    /// The reason for which a download can't begin now; `nil` if it can.
    ///
    /// - Parameters:
    ///   - running: the running assets; the bytes that they still need count as used.
    ///   - isPostponed: whether its playlists could not be read lately.
    func obstacle(
        to token: AssetToken, beside running: [AssetToken], isPostponed: Bool
    ) throws(StoreError) -> WaitReason? {
        guard let asset = try store.catalog.assets.asset(token) else { return nil }
        if let reason = restriction(on: asset) { return reason }
        if bucket?.isAway == true { return .bucket }
        if isPostponed || isCoolingDown(asset.sourceURL), try store.catalog.queue.isUnresolved(token) {
            return .origin
        }
        guard conditions.isOnline(asset.sourceURL) else { return .network }
        let makesRoom = try storage.makesRoom { () throws(StoreError) in
            try store.catalog.assets.missingBytes(of: [token] + running)
        }
        return makesRoom ? nil : .disk
    }

    /// Why the user does not want an asset downloaded now; `nil` when that may be.
    func restriction(on asset: AssetRecord) -> WaitReason? {
        guard isOpen(asset.schedule) else { return .schedule }
        let mayUseMetered = asset.isMeteredOK || policy.mayUseMetered
        return !mayUseMetered && network.isMetered() ? .metered : nil
    }

    /// The reason for which the user's settings stop a running asset; `nil` also if the catalog can't be read.
    func restriction(on token: AssetToken) -> WaitReason? {
        ((try? store.catalog.assets.asset(token)) ?? nil).flatMap { restriction(on: $0) }
    }

    /// Whether downloads may run at this time.
    ///
    /// - Parameter schedule: an asset's own times; `nil` uses the engine's schedule.
    func isOpen(_ schedule: Schedule?) -> Bool {
        let minute = conditions.minuteOfDay(store.clock.now)
        return (schedule ?? policy.schedule).isOpen(atMinute: minute)
    }

    /// Whether the host of a URL has a cooldown.
    func isCoolingDown(_ url: String) -> Bool { cooldowns.window(for: url) != nil }

    /// The condition of this machine that made a download fail; `nil` if the download itself failed.
    func hindrance(_ token: AssetToken, _ failure: StoreError) -> WaitReason? {
        switch failure.code {
        case .diskFull: return .disk
        case .tooManyFiles: return .files
        case .bucket(_, isTemporary: true): return .bucket
        case .transfer where failure.isRetryable:
            let url = (try? store.catalog.assets.asset(token))??.sourceURL
            return url.map(conditions.isOnline) == false ? .network : nil
        default: return nil
        }
    }

    /// Whether a running asset has no network connection to its origin.
    func isCutOff(_ token: AssetToken) -> Bool {
        guard let url = ((try? store.catalog.assets.asset(token)) ?? nil)?.sourceURL, url.hasPrefix("http")
        else { return false }
        return !conditions.isOnline(url)
    }

    /// Whether running downloads must end for lack of space.
    func isOverfull() throws(StoreError) -> Bool { try storage.isOverfull() }

    /// The bytes that are free beside the needs of running assets; `nil` if these do not fit themselves.
    func roomLeft(beside running: [AssetToken]) throws(StoreError) -> UInt64? {
        let taken = try store.catalog.assets.missingBytes(of: running)
        guard let room = try storage.room(), room >= taken else { return nil }
        return room - taken
    }

    /// The running assets that turn out not to fit beside the others, the newest with the lowest priority first.
    /// Sizes become known as segments are stored; an unknown size counts as 0.
    func unfitting(of running: [AssetToken]) throws(StoreError) -> [AssetToken] {
        guard !running.isEmpty else { return [] }
        let needs = try store.catalog.assets.missingBytes(ofEach: running).filter { $0.value > 0 }
        guard !needs.isEmpty else { return [] }
        let makesRoom = try storage.makesRoom { () throws(StoreError) in
            try store.catalog.assets.missingBytes(of: running)
        }
        guard !makesRoom else { return [] }
        let inOrder = try entries(of: Array(needs.keys)).sorted(by: <).map(\.token)
        let fitting = RoomShare.fitting(inOrder, needs, room: try storage.room() ?? 0)
        return inOrder.filter { !fitting.contains($0) }
    }

    private func entries(of tokens: [AssetToken]) throws(StoreError) -> [QueueEntry] {
        var entries: [QueueEntry] = []
        for token in tokens {
            let priority = try store.catalog.assets.asset(token)?.priority ?? 0
            entries.append(QueueEntry(token: token, priority: priority, isUnresolved: false))
        }
        return entries
    }
}

/// Shares out room among assets. Pure.
enum RoomShare {
    /// The assets that fit one after the other, in order; an asset that is too large does not keep out a smaller one.
    ///
    /// - Parameter room: bytes; `nil` if nothing fits, not even an asset that needs 0 bytes.
    static func fitting(
        _ tokens: [AssetToken], _ wanted: [AssetToken: UInt64], room: UInt64?
    ) -> [AssetToken] {
        guard var left = room else { return [] }
        return tokens.filter { token in
            let need = wanted[token, default: 0]
            guard need <= left else { return false }
            left -= need
            return true
        }
    }
}
