/// Decides which units of an asset are fetched now, on how many transfers: first those that players want, then all by
/// presentation time. It returns the transfers to start and makes none itself. Times are passed in, in seconds.
struct TransferScheduler {
    private var queue: UnitQueue
    private var transfers = RunningTransfers()
    private var pace: LinePace
    private var failures: [UnitID: (reason: StoreError, time: Double)] = [:]
    private var secondRound = SecondRound()
    /// Units that have come and are being stored.
    private var commits = 0
    /// Whether players were there so lately that they may come back.
    private(set) var hasPlayers = false

    private static let uncommittedLimit = 64
    /// Seconds after which a failed unit is tried again for a player.
    private static let failureMemory = 5.0

    /// Units that the origin did not have; asked for once more at the end.
    private struct SecondRound {
        var units: [UnitID] = []
        var hasBegun = false
        var isDue: Bool { !hasBegun && !units.isEmpty }
    }

    init(_ jobs: [UnitJob], maximum: Int, now: Double) {
        queue = UnitQueue(jobs)
        pace = LinePace(maximum: maximum, now: now)
    }

    /// Whether any unit is in progress.
    var isBusy: Bool { transfers.count > 0 || commits > 0 }
    /// Whether any unit waits for its transfer.
    var hasWaiting: Bool { queue.hasWaiting }
    /// Whether any unit remains to be fetched, in this round or the second.
    var hasMore: Bool { queue.hasWaiting || secondRound.isDue }
    /// Whether the units that the origin lacked are being requested again.
    var isSecondRound: Bool { secondRound.hasBegun }
    /// Whether all units have arrived, and the last ones are being stored.
    var isFinishing: Bool { transfers.count == 0 && commits > 0 && !hasMore }
    /// Transfers that may be there at once.
    var maximum: Int {
        get { pace.parallelism.maximum }
        set { pace.parallelism.maximum = newValue }
    }

    // MARK: - Players

    /// How it stands with a unit that a player waits for.
    enum Standing {
        /// The unit is in progress, or about to be.
        case open
        /// The unit is stored, or has just failed with this error: there is nothing to wait for.
        case hopeless(StoreError?)
    }

    /// The standing of a unit that a player waits for. A unit that failed a while ago is tried again.
    mutating func standing(of unit: UnitID, now: Double) -> Standing {
        guard !queue.isOpen(unit) else { return .open }
        guard let failure = failures[unit] else { return .hopeless(nil) }
        guard now - failure.time > Self.failureMemory else { return .hopeless(failure.reason) }
        failures[unit] = nil
        queue.renew(unit)
        return .open
    }

    /// The units that players need.
    func wants(_ playheads: inout Playheads, now: Double) -> PlayerWants {
        queue.wants(&playheads) { transfers.isResting($0, now: now) }
    }

    // MARK: - Starting

    /// The facts for sharing the line.
    struct Situation {
        var wants: PlayerWants
        /// How much players of all assets need the line.
        var pressure: PlayerPressure
        /// Whether only units that players want are fetched.
        var isForPlayersOnly: Bool
        /// Whether the origin lets a transfer resume at any byte.
        var canGoOn: Bool
        /// The bytes of the asset that have arrived.
        var total: UInt64
        var now: Double
    }

    /// The next step for the transfers.
    enum Step {
        case start(UnitJob, PartialFile, TransferLeash)
        /// Call again after so many seconds: players leave without notice, and lines change.
        case look(after: Double)
        /// Starts the next one after so many seconds.
        case pace(Double)
    }

    /// Starts transfers that may start now, those that players wait for first, and pauses or resumes running ones.
    ///
    /// - Parameter open: makes the file for a unit.
    mutating func refill(_ situation: Situation, open: (UnitJob) -> PartialFile) -> [Step] {
        let (wants, now) = (situation.wants, situation.now)
        hasPlayers = wants.pressure != .none
        pace.look(total: situation.total, now: now) { transfers.wereBusy() }
        var steps: [Step] = []
        let isAheadLate = situation.pressure == .demand || situation.isForPlayersOnly
        let ahead = isAheadLate ? [] : wants.ahead
        for unit in wants.demanded + ahead where mayStart(isForPlayer: true) {
            guard let job = queue.take(unit) else { continue }
            steps.append(start(job, in: open(job), isForPlayer: true, now: now))
        }
        if !situation.isForPlayersOnly { steps += startBackground(situation, open) }
        transfers.adjust(
            .init(
                demanded: Set(wants.demanded), ahead: Set(ahead), pressure: situation.pressure,
                isAheadCalm: wants.pressure < .ahead, usual: pace.allowance, canGoOn: situation.canGoOn,
                rate: pace.line.rate, piece: piece, now: now))
        let isWorth = hasPlayers || (pace.line.isRamping && queue.hasWaiting)
        if isWorth, let seconds = pace.tick() { steps.append(.look(after: seconds)) }
        return steps
    }

    private func mayStart(isForPlayer: Bool) -> Bool {
        let limit = isForPlayer ? pace.parallelism.limit + maximum : pace.allowance
        return transfers.count < limit && commits < Self.uncommittedLimit
    }

    /// The bytes that a transfer requests at a time; `nil` for all. With an empty queue, splitting helps nobody.
    private var piece: UInt64? { queue.hasWaiting ? pace.piece(lanes: transfers.count) : nil }

    private mutating func startBackground(
        _ situation: Situation, _ open: (UnitJob) -> PartialFile
    ) -> [Step] {
        var steps: [Step] = []
        guard situation.pressure < .ahead else { return steps }
        while mayStart(isForPlayer: false) {
            // While players are there, transfers start in every free moment of the line, without pacing.
            if transfers.count > 0, queue.hasWaiting, !hasPlayers {
                switch pace.start(now: situation.now) {
                case .now: break
                case .after(let seconds): return steps + [.pace(seconds)]
                case .later: return steps
                }
            }
            let share = transfers.share(situation.pressure, usual: pace.allowance)
            guard transfers.background < share, let job = queue.next() ?? firstOfSecondRound() else {
                return steps
            }
            steps.append(start(job, in: open(job), isForPlayer: false, now: situation.now))
            pace.started(now: situation.now)
        }
        return steps
    }

    private mutating func firstOfSecondRound() -> UnitJob? {
        guard transfers.count == 0, secondRound.isDue else { return nil }
        secondRound.hasBegun = true
        for unit in secondRound.units { queue.renew(unit) }
        return queue.next()
    }

    private mutating func start(
        _ job: UnitJob, in file: PartialFile, isForPlayer: Bool, now: Double
    ) -> Step {
        let leash = TransferLeash()
        transfers.begin(job.id, leash: leash, file: file, isForPlayer: isForPlayer, now: now)
        leash.set(isUrgent: isForPlayer, isPaused: false, piece: piece)
        return .start(job, file, leash)
    }

    // MARK: - Events

    /// Takes a unit that has arrived completely; it is being stored.
    ///
    /// - Parameter total: the bytes of the asset that have arrived.
    mutating func came(_ job: UnitJob, total: UInt64, now: Double) {
        if let (seconds, waited) = transfers.end(job.id, now: now) {
            pace.unitCame(after: seconds, waited: waited)
        }
        queue.finished(job.id)
        commits += 1
        pace.parallelism.transferEnded(totalBytes: total, now: now)
    }

    /// A unit could not be had.
    mutating func failed(_ job: UnitJob, _ reason: StoreError, now: Double) {
        _ = transfers.end(job.id, now: now)
        queue.finished(job.id)
        failures[job.id] = (reason, now)
    }

    /// A unit is stored, or could not be.
    mutating func stored() { commits -= 1 }

    mutating func ticked() { pace.ticked() }
    mutating func paced() { pace.paced() }

    /// Adds the units that a recording has found.
    mutating func add(_ jobs: [UnitJob]) { queue.add(jobs) }

    /// Lets a unit wait again.
    mutating func putBack(_ job: UnitJob) { queue.putBack(job) }

    /// Has a unit asked for once more at the end.
    mutating func askAgainAtTheEnd(_ job: UnitJob) { secondRound.units.append(job.id) }

    /// Removes all units of a rendition.
    mutating func drop(_ rendition: RenditionRecord) { queue.drop(rendition: rendition.id) }
}
