internal import Locking

/// Fetches the missing units of one asset, in one run. The catalog has all its results.
///
/// A run consists of rounds: `DownloadRound` decides the next steps, and this class carries them out.
package final class AssetDownload: Sendable {
    /// The units to fetch.
    package enum Scope: Sendable {
        /// All missing units.
        case everything
        /// Units that players want, until the players are gone.
        case demanded
    }

    let token: AssetToken
    let scope: Scope
    /// Whether it is a recording, which may have gaps.
    let isLive: Bool
    let store: StoreAccess
    let demand: PlayerDemand
    let healing: Healing
    let conditions: EngineConditions
    let owner: StoreOwnerLink
    let fetcher: UnitFetcher
    private let storer: UnitStorer
    private let board: ActivityBoard
    private let transferLimit: Lock<Int>
    private let recorder: @Sendable () throws(StoreError) -> RunningRecorder?

    /// - Parameter vault: seals keys that come up in a recording; `nil` records nothing.
    package init(
        _ token: AssetToken, origin: Origin, meter: ByteMeter, parts: EngineParts,
        scope: Scope = .everything, vault: KeyVault? = nil
    ) {
        (self.token, self.scope) = (token, scope)
        (store, demand, healing) = (parts.store, parts.demand, parts.healing)
        (conditions, owner, board, transferLimit) = (
            parts.conditions, parts.owner, parts.board, parts.transferLimit
        )
        isLive = (try? store.catalog.recordings.recording(of: token)) != nil
        let inspectors = UnitInspectors(token, catalog: store.catalog, paths: store.paths, vault: vault)
        let clock = store.clock
        fetcher = UnitFetcher(
            token: token, origin: origin, meter: meter, inspectors: inspectors,
            failOver: FailOver(token, catalog: store.catalog, origin: origin) { clock.now }, isLive: isLive,
            arriving: demand.arriving, board: board, pause: parts.origins.pause)
        storer = UnitStorer(
            token, store: store, committer: parts.committer, inspectors: inspectors, meter: meter,
            arriving: demand.arriving)
        recorder = { () throws(StoreError) -> RunningRecorder? in
            guard scope == .everything, let vault else { return nil }
            return try RunningRecorder(token, origin: origin, parts: parts, vault: vault)
        }
    }

    /// Transfers that may be there at once.
    var maximum: Int { transferLimit.withLock(\.self) }

    /// Fetches until no unit is missing, or no player is left.
    ///
    /// - Throws: the first error that concerns a required rendition, after everything else is stored.
    package func run() async throws(StoreError) {
        Trace.pass(.run, "\(token)")
        var retries = DiskRetries()
        while let next = try await round(retries) { retries = next }
    }

    /// - Returns: the start of another round, if a folder was deleted: the round fetches the units of the folder
    ///   again.
    private func round(_ retries: DiskRetries) async throws(StoreError) -> DiskRetries? {
        let files = StoredFiles(token, store: store)
        if scope == .everything { try files.noteDamage() }
        let recorder = try recorder()
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var round = DownloadRound(
            of: self, jobs: try files.missingUnits(), recorder: recorder, wakes: wakes, retries: retries)
        demand.players.attach(token) { waker.yield() }
        defer { demand.players.detach(token) }
        let fatal = await withTaskGroup(of: RunEvent.self, returning: StoreError?.self) { group in
            start(round.begin(), in: &group)
            while round.hasWork(isCancelled: group.isCancelled), let event = await group.next() {
                do throws(StoreError) {
                    try start(round.take(event), in: &group)
                } catch {
                    await settle(&group)
                    return error
                }
                if let phase = round.newPhase() { board.enter(phase, token) }
            }
            group.cancelAll()
            return nil
        }
        if let fatal { throw fatal }
        try round.end()
        guard Task.isCancelled else {
            return round.retries.hasLostFolder && scope == .everything ? round.retries.ofNextRound : nil
        }
        let isMissing = try !files.missingUnits().isEmpty
        if round.isCut || isMissing || round.retries.hasLostFolder { throw StoreError(.stopped(.cancelled)) }
        return nil
    }

    private func start(_ work: [RunWork], in group: inout TaskGroup<RunEvent>) {
        for item in work { group.addTask { await self.perform(item) } }
    }

    private func perform(_ work: RunWork) async -> RunEvent {
        switch work {
        case .fetch(let job, let file, let leash): return await fetcher.fetch(job, into: file, leash: leash)
        case .commit(let job, let file, let unit): return await storer.commit(job, file, fetched: unit)
        case .record(let recorder): return await recorder.run()
        case .find(let recorder): return await recorder.next()
        case .wake(let wakes):
            for await _ in wakes { break }
            return .woken
        case .look(let seconds):
            try? await Task.sleep(for: .seconds(seconds))
            return .ticked
        case .pace(let seconds):
            try? await Task.sleep(for: .seconds(seconds))
            return .paced
        }
    }

    /// Ends all transfers. Whole units that have arrived are stored.
    private func settle(_ group: inout TaskGroup<RunEvent>) async {
        group.cancelAll()
        while let event = await group.next() {
            guard case .fetched(let job, let file, let unit) = event else { continue }
            file.finish(.complete)
            start([.commit(job, file, unit)], in: &group)
        }
    }
}

/// The work that a run hands to others.
enum RunWork: Sendable {
    case fetch(UnitJob, PartialFile, TransferLeash)
    case commit(UnitJob, PartialFile, FetchedUnit)
    case record(RunningRecorder)
    /// Waits for the next findings of a recording.
    case find(RunningRecorder)
    /// Waits until players want other units.
    case wake(AsyncStream<Void>)
    /// Looks at the line after so many seconds.
    case look(Double)
    /// Starts the next transfer after so many seconds.
    case pace(Double)
}

/// The results of that work.
package enum RunEvent: Sendable {
    case fetched(UnitJob, PartialFile, FetchedUnit)
    /// A unit is stored, and others turned out not to go with it.
    case committed(strangers: [UnitJob])
    case failed(UnitJob, StoreError)
    case notCommitted(UnitJob, StoreError)
    case woken
    case ticked
    case paced
    /// A recording has found more; `nil` when there will be no more.
    case grown([UnitJob]?)
    case recorded(RecordingEnd?, StoreError?)
}
