internal import HLSPlaylist
internal import SystemPackage

/// Fetches what is missing of one asset. One run; everything it achieves is in the catalog.
package final class AssetDownload: Sendable {
    /// What is fetched.
    package enum Scope: Sendable {
        /// All that is missing.
        case everything
        /// Only what players ask for, until they are gone.
        case demanded
    }

    package let context: DownloadContext
    package let origin: Origin
    package let token: AssetToken
    package let vault: KeyVault?
    let meter: ByteMeter
    package let scope: Scope
    /// Whether it is a recording, which may have gaps.
    package let isLive: Bool
    let habits = OriginHabits()
    let failOver: FailOver
    let inspectors: UnitInspectors
    package let samples = VersionSamples()
    static let uncommittedLimit = 64
    /// Seconds after which what failed is tried again for a player.
    static let failureMemory = 5.0

    /// - Parameter vault: where keys go that come up while it is recorded; `nil` records nothing.
    package init(
        _ token: AssetToken, origin: Origin, meter: ByteMeter, context: DownloadContext,
        scope: Scope = .everything, vault: KeyVault? = nil
    ) {
        self.vault = vault
        self.meter = meter
        self.token = token
        self.origin = origin
        self.context = context
        self.scope = scope
        isLive = (try? context.catalog.recordings.recording(of: token)) != nil
        inspectors = UnitInspectors(
            token, catalog: context.catalog, paths: context.paths, vault: vault)
        let clock = context.clock
        failOver = FailOver(token, catalog: context.catalog, origin: origin) { clock.now }
    }

    package enum Event: Sendable {
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

    /// What a run keeps account of.
    package struct Progress {
        package var queue: UnitQueue
        package var transfers: RunningTransfers
        var parallelism: ParallelismController
        package var line: LineProbe
        var commits = 0
        var isTicking = false
        var pacer = StartPacer()
        /// Whether the next transfer waits for its time.
        var isPaced = false
        /// Whether players have been there so lately that they may come back.
        var hasPlayers = false
        /// Units that the origin did not have; asked for once more at the end.
        var postponed: [UnitPlace] = []
        /// Why units could not be had in this run, and when.
        package var failures: [UnitPlace: (reason: StoreError, time: Double)] = [:]
        /// Units of renditions that the asset can do without, which a fresh address may bring, or another try.
        var setbacks: [(place: UnitPlace, reason: StoreError)] = []
        var isSecondRound = false
        /// Whether these are still to be asked for once more.
        var hasSecondRound: Bool { !isSecondRound && !postponed.isEmpty }
        /// What makes the asset fail in the end, though the rest goes on.
        package var failure: StoreError?
        /// Units that the disk did not take once, in this round or an earlier one.
        var triedAgain: Set<UnitPlace> = []
        /// Whether the folder of a rendition was gone, and with it what the catalog has as stored.
        var hasLostFolder = false

        /// Transfers that may run at once without players.
        package var allowance: Int {
            line.isRamping ? min(parallelism.limit, line.allowance) : parallelism.limit
        }

        /// Bytes that a transfer asks for at a time; `nil` for all. Nobody can want anything but what comes at the end.
        package var piece: UInt64? { queue.hasWaiting ? line.pieceLength(lanes: transfers.count) : nil }

        var isBusy: Bool { transfers.count > 0 || commits > 0 }

        /// Whether a recording goes on, and whether all that it has found is in the queue.
        var isRecording = false
        var isFinding = false
        /// Why the recording has ended.
        var recordingEnd: RecordingEnd?
        /// The phase that others were told of last.
        var phase = AssetActivity.Doing.transferring
    }

    /// Fetches until nothing is missing, or no player is there any more.
    ///
    /// - Throws: the first error that concerns a required rendition, after everything else is stored.
    package func run() async throws(StoreError) {
        var triedAgain: Set<UnitPlace> = []
        // Each other round has taken the second try of a unit, so that there is an end.
        while try await round(&triedAgain) {}
    }

    /// - Returns: whether a folder was gone meanwhile, so that another round is to fetch again what else was in it.
    private func round(_ triedAgain: inout Set<UnitPlace>) async throws(StoreError) -> Bool {
        if scope == .everything { try noteDamage() }
        var progress = Progress(
            queue: UnitQueue(try missingUnits()), transfers: RunningTransfers(),
            parallelism: ParallelismController(maximum: context.transfersPerAsset),
            line: LineProbe(usual: ParallelismController.initial, now: SteadyClock.seconds),
            triedAgain: triedAgain)
        let recorder = try recorder()
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        context.players.attach(token) { waker.yield() }
        defer { context.players.detach(token) }
        let fatal = await withTaskGroup(of: Event.self, returning: StoreError?.self) { group in
            group.addTask { await Self.woken(wakes) }
            if let recorder { begin(recorder, &group, &progress) }
            refill(&group, &progress)
            while hasWork(progress, isCancelled: group.isCancelled), let event = await group.next() {
                do throws(StoreError) {
                    try handle(event, wakes, recorder, &group, &progress)
                } catch {
                    await settle(&group)
                    return error
                }
                refill(&group, &progress)
                tellPhase(&progress)
            }
            group.cancelAll()
            return nil
        }
        if let fatal { throw fatal }
        triedAgain = progress.triedAgain
        let isCut = progress.isRecording || progress.queue.hasWaiting
        if !isCut { try conclude(progress.recordingEnd) }
        // What may be healed is seen to before the asset fails for something else: that may be healed with it.
        if !Task.isCancelled { try askForHealing(progress) }
        if let failure = progress.failure { throw failure }
        guard Task.isCancelled else { return progress.hasLostFolder && scope == .everything }
        let isMissing = try !missingUnits().isEmpty
        if isCut || isMissing || progress.hasLostFolder { throw StoreError(.stopped(.cancelled)) }
        return false
    }

    /// Ends everything. What has come meanwhile is whole, and kept.
    private func settle(_ group: inout TaskGroup<Event>) async {
        group.cancelAll()
        while let event = await group.next() {
            guard case .fetched(let job, let file, let unit) = event else { continue }
            file.finish(.complete)
            group.addTask { await self.commit(job, file, unit) }
        }
    }

    private static func woken(_ wakes: AsyncStream<Void>) async -> Event {
        for await _ in wakes { break }
        return .woken
    }

    private func hasWork(_ progress: Progress, isCancelled: Bool) -> Bool {
        if progress.isBusy { return true }
        guard !isCancelled else { return false }
        guard scope == .everything else { return progress.hasPlayers }
        return progress.queue.hasWaiting || progress.hasSecondRound || progress.isRecording
            || progress.isFinding
    }

    private func missingUnits() throws(StoreError) -> [UnitJob] {
        let renditions = try context.catalog.renditions.all(of: [token])[token] ?? []
        var jobs: [UnitJob] = []
        for rendition in renditions where rendition.isFetched {
            try FileSystem.makeDirectory(context.paths.rendition(token, rendition.name))
            let units = try context.catalog.units.all(of: rendition.id, states: [.missing, .lost])
            let own = units.map { UnitJob(unit: $0, rendition: rendition) }
            PartialFile.removeOrphans(
                in: context.paths.rendition(token, rendition.name), except: Set(own.map(\.partName)))
            jobs += own
        }
        return jobs
    }
}

// MARK: - What runs

extension AssetDownload {
    /// Starts what may start now, players' wants first, and lets what runs go on or rest.
    private func refill(_ group: inout TaskGroup<Event>, _ progress: inout Progress) {
        guard !group.isCancelled else { return }
        progress.parallelism.maximum = context.transfersPerAsset
        let (wants, pressure) = context.players.wants(token) { playheads in
            for place in playheads.held { look(at: place, &progress) }
            let now = SteadyClock.seconds
            return progress.queue.wants(&playheads) { progress.transfers.isResting($0, now: now) }
        }
        progress.hasPlayers = wants.pressure != .none
        lookAtLine(&progress)
        let ahead = pressure == .demand || scope == .demanded ? [] : wants.ahead
        for place in wants.demanded + ahead where mayStart(progress, isForPlayer: true) {
            if let job = progress.queue.take(place) { start(job, isForPlayer: true, &group, &progress) }
        }
        if scope == .everything { startBackground(pressure, &group, &progress) }
        progress.transfers.adjust(
            .init(
                demanded: Set(wants.demanded), ahead: Set(ahead), pressure: pressure,
                isAheadCalm: wants.pressure < .ahead, usual: progress.allowance,
                canGoOn: habits.allowPieces, rate: progress.line.rate, piece: progress.piece,
                now: SteadyClock.seconds))
        startTicking(&group, &progress)
    }

    /// What somebody waits for may be stored already, or have failed in this run: a little later it is tried again,
    /// else there is nothing to wait for.
    private func look(at place: UnitPlace, _ progress: inout Progress) {
        guard !progress.queue.isOpen(place) else { return }
        let failure = progress.failures[place]
        if let failure, SteadyClock.seconds - failure.time > Self.failureMemory {
            progress.failures[place] = nil
            progress.queue.renew(place)
        } else {
            context.arriving.abandon(UnitKey(token: token, place: place), failure?.reason)
        }
    }

    private func mayStart(_ progress: Progress, isForPlayer: Bool) -> Bool {
        let limit = progress.parallelism.limit
        let allowed = isForPlayer ? limit + context.transfersPerAsset : progress.allowance
        return progress.transfers.count < allowed && progress.commits < Self.uncommittedLimit
    }

    private func startBackground(
        _ pressure: PlayerPressure, _ group: inout TaskGroup<Event>, _ progress: inout Progress
    ) {
        guard pressure < .ahead else { return }
        while mayStart(progress, isForPlayer: false) {
            guard !isPaced(&group, &progress) else { return }
            let share = progress.transfers.share(pressure, usual: progress.allowance)
            guard progress.transfers.background < share else { return }
            guard let job = progress.queue.next() ?? secondRound(&progress) else { return }
            start(job, isForPlayer: false, &group, &progress)
            progress.pacer.started(now: SteadyClock.seconds, lanes: progress.allowance)
        }
    }

    private func secondRound(_ progress: inout Progress) -> UnitJob? {
        guard progress.transfers.count == 0, progress.hasSecondRound else { return nil }
        progress.isSecondRound = true
        for place in progress.postponed { progress.queue.renew(place) }
        return progress.queue.next()
    }

    private func start(
        _ job: UnitJob, isForPlayer: Bool, _ group: inout TaskGroup<Event>, _ progress: inout Progress
    ) {
        let path = context.paths.rendition(token, job.rendition.name).appending(job.partName)
        let file = context.arriving.begin(UnitKey(token: token, place: job.place), at: path)
        let leash = TransferLeash()
        progress.transfers.begin(
            job.place, leash, file, isForPlayer: isForPlayer, now: SteadyClock.seconds)
        leash.set(isUrgent: isForPlayer, isPaused: false, piece: progress.piece)
        group.addTask { await self.fetch(job, file, leash) }
    }
}

// MARK: - What happens

extension AssetDownload {
    private func handle(
        _ event: Event, _ wakes: AsyncStream<Void>, _ recorder: RunningRecorder?,
        _ group: inout TaskGroup<Event>, _ progress: inout Progress
    ) throws(StoreError) {
        switch event {
        case .fetched(let job, let file, let unit):
            file.finish(.complete)
            ended(job, hasCome: true, &progress)
            progress.commits += 1
            if !job.rendition.required { noteRecovery(job.rendition) }
            progress.parallelism.transferEnded(totalBytes: meter.total, now: SteadyClock.seconds)
            group.addTask { await self.commit(job, file, unit) }
        case .committed(let strangers):
            progress.commits -= 1
            for stranger in strangers { progress.queue.putBack(stranger) }
        case .notCommitted(let job, let error):
            progress.commits -= 1
            try tryAgain(job, after: error, &progress)
        case .failed(let job, let error):
            ended(job, hasCome: false, &progress)
            progress.failures[job.place] = (error, SteadyClock.seconds)
            try failed(job, error, &progress)
        case .woken: if !group.isCancelled { group.addTask { await Self.woken(wakes) } }
        case .ticked: progress.isTicking = false
        case .paced: progress.isPaced = false
        case .grown(let jobs?):
            progress.queue.add(jobs)
            if let recorder { group.addTask { await recorder.next() } }
        case .grown(nil): progress.isFinding = false
        case .recorded(let end, let error):
            if let error { throw error }
            (progress.isRecording, progress.recordingEnd) = (false, end)
        }
    }

    private func ended(_ job: UnitJob, hasCome: Bool, _ progress: inout Progress) {
        let times = progress.transfers.end(job.place, now: SteadyClock.seconds)
        if hasCome, let (seconds, waited) = times {
            progress.line.unitCame(within: seconds - waited, waited: waited)
            progress.parallelism.unitCame(after: seconds, waited: waited)
            progress.pacer.answered(after: waited)
        }
        progress.queue.finished(job.place)
    }

    private func failed(_ job: UnitJob, _ error: StoreError, _ progress: inout Progress) throws(StoreError) {
        switch error.errorClass {
        case .disk: return try tryAgain(job, after: error, &progress)
        case .engine: throw error
        default: break
        }
        // What a player alone wanted is no reason to give up anything.
        guard scope == .everything else { return }
        if try lostLive(job, error) { return }
        if case .status(404, _) = error.code, !progress.isSecondRound {
            return progress.postponed.append(job.place)
        }
        if job.rendition.required { return try lostRequired(error, &progress) }
        try giveUp(job, error, &progress)
    }

    /// What the origin has no more, or has in pieces, concerns one segment, and the rest is still worth having.
    /// Anything else would meet every segment in the same way.
    private func lostRequired(_ error: StoreError, _ progress: inout Progress) throws(StoreError) {
        switch error.errorClass {
        case .http where !error.isRetryable, .integrity: progress.failure = progress.failure ?? error
        default: throw error
        }
    }
}
