internal import Locking
internal import Logging
internal import SystemPackage

/// The bytes that were freed, or would be.
public struct PruneReport: Sendable {
    /// An asset that was evicted.
    public struct Evicted: Sendable {
        /// The asset; it stays in the catalog, and `resume` fetches it again.
        public var token: AssetToken
        /// Its name for people.
        public var name: String
        /// Bytes of media that it had.
        public var bytes: Int64
        /// As what it went.
        public var evictionClass: EvictionClass

        init(_ step: EvictionPlan.Step) {
            (token, name) = (step.candidate.token, step.candidate.name)
            (bytes, evictionClass) = (step.candidate.bytes, step.evictionClass)
        }
    }

    /// In the order in which they went.
    public var evicted: [Evicted]
    /// The orphans that were deleted.
    public var orphans: [Orphan]
    /// Whether the store is within its limits then, and as much is free as was asked for.
    public var isEnough: Bool

    /// Bytes of all of it.
    public var bytes: Int64 {
        evicted.reduce(0) { $0 + $1.bytes } + orphans.reduce(0) { $0 + $1.bytes }
    }
}

extension OfflineStore {
    /// The policy that the engine goes by.
    public var storagePolicy: StoragePolicy { keeper.policy }

    /// The bytes of the store and what uses them, with the limits of the engine.
    public func storage() throws(StoreError) -> StorageUse { try reader.storage(policy: keeper.policy) }

    /// Frees what no row knows, what cancelled assets have kept and what has expired, as far as the policy lets it go;
    /// then as much more as the limits, or `wanted`, demand. Pinned assets and those that are being played stay.
    ///
    /// - Parameters:
    ///   - wanted: bytes to free at least.
    ///   - classes: what may go this time, in place of what the policy says.
    ///   - isDryRun: whether to only say what would go.
    public func prune(
        freeing wanted: UInt64 = 0, _ classes: Set<EvictionClass>? = nil, isDryRun: Bool = false
    ) async throws(StoreError) -> PruneReport {
        try flushPlays()
        if !isDryRun {
            // What that frees need not be freed by evicting.
            disposer.tryAgain()
            await disposer.untilDone()
        }
        var policy = keeper.policy
        if let classes { policy.evict = classes }
        let shortage = max(try keeper.shortage(for: 0), wanted)
        let orphans = try prunableOrphans()
        let freed = orphans.reduce(UInt64(0)) { $0 + UInt64(clamping: $1.bytes) }
        let plan = try reader.evictionPlan(
            freeing: Int64(clamping: shortage > freed ? shortage - freed : 0), policy,
            always: [.cancelled, .expired], sparing: returning.tokens, at: clock.now.trusted)
        var report = PruneReport(
            evicted: plan.steps.map(PruneReport.Evicted.init), orphans: orphans, isEnough: plan.isEnough)
        guard !isDryRun else { return report }
        report.evicted = try await free(plan.steps, orphans)
        report.isEnough = report.bytes >= Int64(clamping: shortage)
        await engine.sync()
        return report
    }

    /// The orphans that may be deleted. A catalog without any asset may have been made anew where one was lost: then
    /// the folders of assets stay.
    private func prunableOrphans() throws(StoreError) -> [Orphan] {
        let orphans = try reader.orphans().filter { $0.kind != .foreign }
        guard orphans.contains(where: { $0.kind == .asset }), try !catalog.storage.hasAssets() else {
            return orphans
        }
        log.warning("folders of assets stay, since the catalog has no asset at all; \(LostCatalog.advice)")
        return orphans.filter { $0.kind != .asset }
    }

    /// Evicts assets and deletes what no row knows, as much of it as it can.
    ///
    /// - Returns: what went.
    /// - Throws: why something could not be freed, of the first one.
    private func free(
        _ steps: [EvictionPlan.Step], _ orphans: [Orphan]
    ) async throws(StoreError) -> [PruneReport.Evicted] {
        var (evicted, failure): ([PruneReport.Evicted], StoreError?) = ([], nil)
        for step in steps {
            do throws(StoreError) {
                if try evict(step) { evicted.append(.init(step)) }
            } catch {
                failure = failure ?? error
            }
        }
        for orphan in orphans {
            do throws(StoreError) { try await delete(orphan) } catch { failure = failure ?? error }
        }
        guard let failure else { return evicted }
        await engine.sync()
        throw failure
    }

    /// Frees what is stored of an asset. It stays in the catalog as cancelled, so that its token and its address are
    /// good for fetching it again.
    ///
    /// - Returns: whether it went: one that somebody wants again since it was chosen, or has removed, is left alone.
    @discardableResult
    func evict(_ step: EvictionPlan.Step) throws(StoreError) -> Bool {
        let token = step.candidate.token
        guard !returning.contains(token) else { return false }
        do throws(StoreError) {
            try catalog.assets.apply(
                .evict, to: token, TransitionDetail(reason: .evicted, now: context.clock.now))
        } catch {
            switch error.code {
            case .wrongState, .noSuchAsset: return false
            default: throw error
            }
        }
        defer { changed(token) }
        try purge(token)
        log.notice(
            "evicted", metadata: ["token": "\(token)", "as": "\(step.evictionClass.rawValue)"])
        return true
    }

    private func delete(_ orphan: Orphan) async throws(StoreError) {
        let path = paths.root.pushing(FilePath(orphan.path))
        guard let token = orphan.token else { return try FileSystem.removeTree(path) }
        // Renditions that come later have folders before they have rows.
        await turns.take(token)
        defer { turns.release(token) }
        guard try reader.isOrphan(orphan) else { return }
        let item = try catalog.storage.addDisposal(
            orphan.path.split(separator: "/").dropFirst().joined(separator: "/"))
        try disposer.dispose([item])
    }

    /// Writes down what was played since the last time; one write for all.
    package func flushPlays() throws(StoreError) {
        let (now, steady) = (context.clock.now, SteadyClock.seconds)
        let plays = reader.players.log.take(now: steady).map { token, entry in
            let age = Int64(max(0, steady - entry.seen) * 1000)
            return (token, Timestamp(milliseconds: now.milliseconds - age), entry.end)
        }
        guard !plays.isEmpty else { return }
        try catalog.storage.setPlayed(plays)
        if settings.withLock(\.logsPlays) { try catalog.viewing.log(plays) }
    }

    /// Pins assets, so that nothing evicts them, or unpins them. What holds already is fine.
    public func pin(_ tokens: [AssetToken], _ isPinned: Bool) throws(StoreError) -> ControlOutcome {
        var edit = AssetEdit()
        edit.isPinned = isPinned
        return try change(tokens, edit) { $0.isPinned == isPinned }
    }

    /// Gives assets a priority: of those that wait for a place, the highest goes first, then the oldest. What holds
    /// already is fine, and what runs goes on.
    public func prioritize(_ tokens: [AssetToken], _ priority: Int) async throws(StoreError) -> ControlOutcome
    {
        var edit = AssetEdit()
        edit.priority = priority
        let outcome = try change(tokens, edit) { $0.priority == priority }
        await engine.sync()
        return outcome
    }

    private func change(
        _ tokens: [AssetToken], _ edit: AssetEdit, unless holds: (AssetRecord) -> Bool
    ) throws(StoreError) -> ControlOutcome {
        var outcome = ControlOutcome()
        for token in tokens {
            do throws(StoreError) {
                guard let record = try catalog.assets.asset(token) else {
                    throw StoreError(.noSuchAsset(token.description))
                }
                if !holds(record) { try catalog.assets.edit(token, edit, at: context.clock.now) }
                outcome.done.append(AssetChange(token: token, from: record.state, to: record.state))
            } catch {
                outcome.refused.append((token, error))
            }
        }
        return outcome
    }
}

extension StoreReader {
    /// Chooses what goes to free so many bytes; what is being played stays.
    ///
    /// - Parameter spared: what stays, too.
    func evictionPlan(
        freeing wanted: Int64, _ policy: StoragePolicy, always: Set<EvictionClass> = [],
        sparing spared: Set<AssetToken> = [], at now: Timestamp
    ) throws(StoreError) -> EvictionPlan {
        let kept = spared.union(players.log.playing(now: SteadyClock.seconds))
        let candidates = try catalog?.storage.evictionCandidates(at: now) ?? []
        return EvictionPlan(
            candidates.filter { !kept.contains($0.token) }, freeing: wanted, policy, always: always)
    }
}
