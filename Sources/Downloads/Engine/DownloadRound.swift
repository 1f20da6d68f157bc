internal import Locking
internal import SystemPackage

/// One round of a run: the units in progress, and the next steps after each event.
struct DownloadRound {
    private let run: AssetDownload
    private let wakes: AsyncStream<Void>
    private var scheduler: TransferScheduler
    private var recording: RecordingProgress
    private var losses = RunLosses()
    private(set) var retries: DiskRetries
    /// The phase that was reported last.
    private var phase = AssetActivity.Doing.transferring

    /// The state of the recording, which runs beside the transfers.
    private struct RecordingProgress {
        let recorder: RunningRecorder?
        /// Whether the recorder runs, and whether more findings of it may come.
        var isRunning: Bool
        var isFinding: Bool
        /// The reason for which the recording has ended.
        var end: RecordingEnd?

        init(_ recorder: RunningRecorder?) {
            self.recorder = recorder
            (isRunning, isFinding) = (recorder != nil, recorder != nil)
        }
    }

    /// The units and renditions that could not be fetched.
    private struct RunLosses {
        /// Lost units of optional renditions that a fresh address or another try may bring.
        var setbacks: [(unit: UnitID, reason: StoreError)] = []
        /// The error with which the asset will fail after the rest is stored.
        var failure: StoreError?
    }

    init(
        of run: AssetDownload, jobs: [UnitJob], recorder: RunningRecorder?, wakes: AsyncStream<Void>,
        retries: DiskRetries
    ) {
        (self.run, self.wakes, self.retries) = (run, wakes, retries)
        scheduler = TransferScheduler(jobs, maximum: run.maximum, now: SteadyClock.seconds)
        recording = RecordingProgress(recorder)
    }

    private var isForPlayersOnly: Bool { run.scope == .demanded }

    /// The first work of a round.
    mutating func begin() -> [RunWork] {
        var work: [RunWork] = [.wake(wakes)]
        if let recorder = recording.recorder { work += [.record(recorder), .find(recorder)] }
        return work + refill()
    }

    /// Whether the round goes on: work is in progress, or may still come.
    func hasWork(isCancelled: Bool) -> Bool {
        if scheduler.isBusy { return true }
        guard !isCancelled else { return false }
        guard !isForPlayersOnly else { return scheduler.hasPlayers }
        return scheduler.hasMore || recording.isRunning || recording.isFinding
    }

    /// Takes an event, and returns the work that follows from it.
    mutating func take(_ event: RunEvent) throws(StoreError) -> [RunWork] { try follow(event) + refill() }

    /// Whether the round ended before everything had arrived.
    var isCut: Bool { recording.isRunning || scheduler.hasWaiting }

    /// Ends the round: it concludes the recording, and asks for remedies for refused units. Only then does the asset
    /// fail for another reason, because a remedy may help there, too.
    func end() throws(StoreError) {
        if !isCut { try run.conclude(recording.end) }
        if !Task.isCancelled, let reason = run.healing.ask(run.token, for: losses.setbacks) { throw reason }
        if let failure = losses.failure { throw failure }
    }

    /// The phase, if it has changed; `nil` otherwise. It is `finishing` when all units have arrived and the last ones
    /// are being stored, and `transferring` when more units are fetched. It is not reported if only players want
    /// units.
    mutating func newPhase() -> AssetActivity.Doing? {
        let isFinishing = scheduler.isFinishing && !recording.isRunning
        let now = isFinishing ? AssetActivity.Doing.finishing : .transferring
        guard !isForPlayersOnly, now != phase else { return nil }
        phase = now
        return now
    }

    /// Starts transfers that may start now, and pauses or resumes running ones.
    private mutating func refill() -> [RunWork] {
        guard !Task.isCancelled else { return [] }
        let (run, now) = (run, SteadyClock.seconds)
        scheduler.maximum = run.maximum
        let (wants, pressure) = run.demand.players.wants(run.token) { playheads in
            for unit in playheads.held {
                guard case .hopeless(let reason) = scheduler.standing(of: unit, now: now) else { continue }
                run.demand.arriving.abandon(UnitKey(token: run.token, unit: unit), reason)
            }
            return scheduler.wants(&playheads, now: now)
        }
        let steps = scheduler.refill(
            .init(
                wants: wants, pressure: pressure, isForPlayersOnly: isForPlayersOnly,
                canGoOn: run.fetcher.habits.allowPieces, total: run.fetcher.meter.total, now: now)
        ) { run.file(for: $0) }
        return steps.map { step in
            switch step {
            case .start(let job, let file, let leash): .fetch(job, file, leash)
            case .look(let seconds): .look(seconds)
            case .pace(let seconds): .pace(seconds)
            }
        }
    }

    private mutating func follow(_ event: RunEvent) throws(StoreError) -> [RunWork] {
        switch event {
        case .fetched(let job, let file, let unit):
            file.finish(.complete)
            scheduler.came(job, total: run.fetcher.meter.total, now: SteadyClock.seconds)
            if !job.rendition.required { run.healing.unitCame(run.token, job.rendition.name) }
            return [.commit(job, file, unit)]
        case .committed(let strangers):
            scheduler.stored()
            for stranger in strangers { scheduler.putBack(stranger) }
        case .notCommitted(let job, let error):
            scheduler.stored()
            try fetchAgain(job, after: error)
        case .failed(let job, let error):
            scheduler.failed(job, error, now: SteadyClock.seconds)
            try lost(job, error)
        case .woken: return Task.isCancelled ? [] : [.wake(wakes)]
        case .ticked: scheduler.ticked()
        case .paced: scheduler.paced()
        case .grown(let jobs?):
            scheduler.add(jobs)
            if let recorder = recording.recorder { return [.find(recorder)] }
        case .grown(nil): recording.isFinding = false
        case .recorded(let end, let error):
            if let error { throw error }
            (recording.isRunning, recording.end) = (false, end)
        }
        return []
    }

    /// If the disk did not take a unit, puts the unit back into the queue, once in a run.
    private mutating func fetchAgain(_ job: UnitJob, after error: StoreError) throws(StoreError) {
        try retries.retry(job, after: error, clearing: DiskWay(token: run.token, store: run.store))
        scheduler.putBack(job)
    }

    private mutating func lost(_ job: UnitJob, _ error: StoreError) throws(StoreError) {
        let rules = LossRules(
            isForPlayersOnly: isForPlayersOnly, isLive: run.isLive, isSecondRound: scheduler.isSecondRound)
        switch try rules.verdict(on: error, of: job, run.lossFacts) {
        case .fetchAgain: try fetchAgain(job, after: error)
        case .gap: try run.markLost(job)
        case .later: scheduler.askAgainAtTheEnd(job)
        case .failsInTheEnd: losses.failure = losses.failure ?? error
        case .setback:
            scheduler.drop(job.rendition)
            losses.setbacks.append((job.id, error))
        case .givenUp:
            scheduler.drop(job.rendition)
            try run.giveUp(job.rendition, after: error)
        case .endsRun: throw error
        case .waitsForNetwork: throw StoreError(.stopped(.offline))
        case .nothing: break
        }
    }
}

// MARK: - Steps that a round has its run carry out

extension AssetDownload {
    /// The file that a unit's transfer begins to fill.
    func file(for job: UnitJob) -> PartialFile {
        let path = store.folder(of: job, token).appending(job.partName)
        return demand.arriving.begin(UnitKey(token: token, unit: job.id), at: path)
    }

    /// The facts that other parts know about units that could not be fetched.
    var lossFacts: LossRules.Facts {
        LossRules.Facts(
            isOnline: conditions.isOnline,
            asksForAddress: { self.healing.links.ask(self.token, for: .unit($0)) },
            mayHelp: { self.healing.links.mayHelp(self.token, $0) },
            mayPass: { self.healing.outages.mayPass(self.token, $0) },
            sourceURL: { () throws(StoreError) in try self.store.catalog.assets.asset(self.token)?.sourceURL }
        )
    }

    /// Notes in the catalog that a recording will never have a unit.
    func markLost(_ job: UnitJob) throws(StoreError) {
        try store.catalog.recordings.markLost(job, of: token, at: store.now)
        owner.owner?.hasGrown(token)
    }

    /// Notes in the catalog that a rendition is given up.
    func giveUp(_ rendition: RenditionRecord, after error: StoreError) throws(StoreError) {
        try store.catalog.renditions.setFailure(error.message, ofRendition: rendition.id)
    }

    /// Concludes the run of a recording after the last transfer. From then on the playlists are complete.
    func conclude(_ end: RecordingEnd?) throws(StoreError) {
        guard isLive else { return }
        let playlists = store.playlists(of: token)
        if let end { try playlists.end(end, at: store.now) } else { try playlists.restore() }
        owner.owner?.hasGrown(token)
    }
}
