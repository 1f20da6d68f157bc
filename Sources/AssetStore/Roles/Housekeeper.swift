internal import Locking
internal import Logging
internal import SystemPackage

/// Keeps a store within its limits: evicts assets, deletes files that no row names, and deletes old events.
package struct Housekeeper: Sendable {
    let catalog: Catalog
    let reader: StoreReader
    let keeper: StorageKeeper
    let disposer: Disposer
    let remover: AssetRemover
    let returning: ReturningAssets
    let turns: Turns
    let engine: DownloadEngine
    let keys: KeyDesk
    let wall: any WallClock
    let clock: TrustedClock
    let notices: ChangeNotices
    /// Whether plays are logged.
    let logsPlays: Lock<Bool>
    let log: Logger

    private var paths: StorePaths { reader.paths }

    /// The time for which the media of a cancelled asset are kept for a resume, in milliseconds.
    static let cancelledKeepMilliseconds: Int64 = 24 * 3600 * 1000
    /// The name of the cursor: the time up to which cancelled assets were searched for leftover files.
    private static let purgeCursor = "purged"
    /// The time for which events are kept, in milliseconds.
    static let eventKeepMilliseconds: Int64 = 30 * 24 * 3600 * 1000

    /// The bytes of the store by their use, with the engine's limits.
    package func storage(limit: Int = .max) throws(StoreError) -> StorageUse {
        try reader.storage(policy: keeper.policy, limit: limit)
    }

    /// Frees bytes: files that belong to no asset, media of cancelled assets and, where the policy allows it, assets
    /// with an expired license. If that is less than the limits or `wanted` demand, it evicts more. Pinned assets and
    /// assets that are being played stay.
    ///
    /// - Parameters:
    ///   - wanted: bytes to free at least.
    ///   - classes: the classes that may be evicted this time; `nil` is the policy's.
    ///   - isDryRun: whether to only make the report and free nothing.
    package func prune(
        freeing wanted: UInt64 = 0, _ classes: Set<EvictionClass>? = nil, isDryRun: Bool = false
    ) async throws(StoreError) -> PruneReport {
        try flushPlays()
        if !isDryRun {
            // These deletions come first, so that less has to be evicted.
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

    /// The orphans that may be deleted. If the catalog lacks more assets that have a folder than it has, it may have
    /// replaced a lost catalog. Then these folders are kept.
    private func prunableOrphans() throws(StoreError) -> [Orphan] {
        let orphans = try reader.orphans.all().filter { $0.kind != .foreign }
        let lost = orphans.count { $0.kind == .asset }
        guard try lost > catalog.storage.assetCount() else { return orphans }
        log.warning(
            "folders of assets stay, since the catalog lacks more assets (\(lost)) than it has; \(LostCatalog.advice)"
        )
        return orphans.filter { $0.kind != .asset }
    }

    /// Evicts assets and deletes orphans. A failure does not keep it from going on with the others.
    ///
    /// - Returns: the evicted assets.
    /// - Throws: the first failure.
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

    /// Deletes the media of an asset. It stays in the catalog as cancelled, so that it can be fetched again under the
    /// same token.
    ///
    /// - Returns: whether it was evicted. An asset that was resumed or removed after it was chosen is left alone.
    @discardableResult
    func evict(_ step: EvictionPlan.Step) throws(StoreError) -> Bool {
        let token = step.candidate.token
        guard !returning.contains(token) else { return false }
        do throws(StoreError) {
            try catalog.assets.apply(
                .evict, to: token, TransitionDetail(reason: .evicted, now: wall.now))
        } catch {
            switch error.code {
            case .wrongState, .noSuchAsset: return false
            default: throw error
            }
        }
        defer { notices.changed(token) }
        try remover.purge(token)
        log.notice(
            "evicted", metadata: ["token": "\(token)", "as": "\(step.evictionClass.rawValue)"])
        return true
    }

    private func delete(_ orphan: Orphan) async throws(StoreError) {
        let path = paths.root.pushing(FilePath(orphan.path))
        guard let token = orphan.token else { return try FileSystem.removeTree(path) }
        // A rendition that is being added has a folder before it has a row, so this waits for the end of the change.
        await turns.take(token)
        defer { turns.release(token) }
        guard try reader.orphans.isOrphan(orphan) else { return }
        let item = try catalog.storage.addDisposal(
            orphan.path.split(separator: "/").dropFirst().joined(separator: "/"))
        try disposer.dispose([item])
    }

    /// Writes the plays since the last call to the catalog, in one transaction.
    package func flushPlays() throws(StoreError) {
        let (now, steady) = (wall.now, SteadyClock.seconds)
        let plays = reader.players.log.take(now: steady).map { token, entry in
            let age = Int64(max(0, steady - entry.seen) * 1000)
            return (token, Timestamp(milliseconds: now.milliseconds - age), entry.end)
        }
        guard !plays.isEmpty else { return }
        try catalog.storage.setPlayed(plays)
        if logsPlays.withLock(\.self) { try catalog.viewing.log(plays) }
    }

    /// Deletes media of assets that were cancelled more than a day ago, files that could not be deleted before, and
    /// events older than 30 days. It is cheap when there is nothing to do.
    package func tidy() throws(StoreError) {
        disposer.tryAgain()
        let now = wall.now.milliseconds
        let kept = Timestamp(milliseconds: now - Self.cancelledKeepMilliseconds)
        let earlier = Timestamp(milliseconds: try catalog.events.cursor(Self.purgeCursor) ?? 0)
        // If the cursor is in the future, the clock was ahead: then all cancelled assets are searched again.
        let tokens = try catalog.storage.keptCancelled(
            before: kept, lookedAtUntil: earlier <= kept ? earlier : Timestamp(milliseconds: 0))
        let (freed, failure) = remover.purge(tokens, unless: returning.contains)
        if !freed.isEmpty { notices.changed(freed) }
        try catalog.events.forgetEvents(before: Timestamp(milliseconds: now - Self.eventKeepMilliseconds))
        if let failure { throw failure }
        guard freed.count == tokens.count, !tokens.isEmpty || kept < earlier else { return }
        try catalog.events.setCursor(Self.purgeCursor, kept.milliseconds)
    }

    /// Adds up figures of the store.
    package func figures() async throws(StoreError) -> StoreFigures {
        var figures = StoreFigures()
        let speeds = await engine.activity.speeds
        keys.flush()
        figures.health = try catalog.health.countsByHealth()
        let others = AssetState.allCases.filter { $0 != .complete && $0 != .removing }
        // Files tell of the health of complete ones only.
        for asset in try reader.assets(states: others, checking: nil) {
            figures.health[asset.health.level, default: 0] += 1
            if asset.state == .queued, let reason = asset.reason {
                figures.waiting[reason, default: 0] += 1
            }
        }
        (figures.downloads, figures.bytesPerSecond) = (
            speeds.count, speeds.values.reduce(0) { $0 + ($1 ?? 0) }
        )
        figures.assets = try catalog.assets.countsByState()
        figures.storedBytes = try catalog.assets.storedBytes()
        figures.freeBytes = FileSystem.freeSpace(at: paths.root).map { Int64(clamping: $0) }
        figures.events = try catalog.events.lastEvent()
        figures.sharing = try sharing()
        return figures
    }

    /// The figures that need no catalog, for the time while the database of a shared store is away; `nil` for a store
    /// of one machine.
    package func figuresWithoutCatalog() -> StoreFigures? {
        guard let ownership = catalog.ownership else { return nil }
        var (figures, sharing) = (StoreFigures(), StoreFigures.Sharing())
        figures.freeBytes = FileSystem.freeSpace(at: paths.root).map { Int64(clamping: $0) }
        (sharing.epoch, sharing.rest, sharing.hasCatalog) = (ownership.owner.epoch, ownership.rest, false)
        figures.sharing = sharing
        return figures
    }

    /// Figures of the nodes; `nil` for a store of one machine.
    private func sharing() throws(StoreError) -> StoreFigures.Sharing? {
        guard let ownership = catalog.ownership else { return nil }
        var sharing = StoreFigures.Sharing()
        for node in try catalog.nodes.all() { sharing.nodes[node.role, default: 0] += 1 }
        (sharing.epoch, sharing.rest) = (ownership.owner.epoch, ownership.rest)
        return sharing
    }
}
