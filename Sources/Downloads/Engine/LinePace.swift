/// Decides how many transfers of an asset run, how many bytes each requests at a time, and when the next one starts,
/// by measurements of the line. Pure: times are passed in, in seconds.
struct LinePace {
    var parallelism: ParallelismController
    private(set) var line: LineProbe
    private var pacer = StartPacer()
    /// Whether a later measurement is scheduled.
    private var isTicking = false
    /// Whether the next transfer waits for its start time.
    private var isPaced = false

    init(maximum: Int, now: Double) {
        parallelism = ParallelismController(maximum: maximum)
        line = LineProbe(usual: ParallelismController.initial, now: now)
    }

    /// Transfers that may run at once without players.
    var allowance: Int { line.isRamping ? min(parallelism.limit, line.allowance) : parallelism.limit }

    /// Bytes that a transfer asks for at a time, beside so many others; `nil` for all.
    func piece(lanes: Int) -> UInt64? { line.pieceLength(lanes: lanes) }

    /// Measures the line, if it is time.
    ///
    /// - Parameters:
    ///   - total: the bytes of the asset that have arrived.
    ///   - wereBusy: whether some unit was arriving all the time since the last call.
    mutating func look(total: UInt64, now: Double, wereBusy: () -> Bool) {
        guard line.isDue(now) else { return }
        line.look(total: total, now: now, wasBusy: wereBusy())
    }

    /// The seconds until the next measurement; `nil` if it is scheduled already.
    mutating func tick() -> Double? {
        guard !isTicking else { return nil }
        isTicking = true
        return line.interval
    }

    mutating func ticked() { isTicking = false }

    /// The start time of the next transfer.
    enum Start: Equatable {
        case now
        /// After so many seconds.
        case after(Double)
        /// At a time that was named before.
        case later
    }

    /// The start time of the next transfer, if others run and no player waits for it.
    mutating func start(now: Double) -> Start {
        let pause = pacer.pause(now: now)
        guard pause > 0 else { return .now }
        guard !isPaced else { return .later }
        isPaced = true
        return .after(pause)
    }

    mutating func paced() { isPaced = false }

    mutating func started(now: Double) { pacer.started(now: now, lanes: allowance) }

    /// Takes the times of a unit that has arrived.
    ///
    /// - Parameter waited: the part of `seconds` before the first byte.
    mutating func unitCame(after seconds: Double, waited: Double) {
        line.unitCame(within: seconds - waited, waited: waited)
        parallelism.unitCame(after: seconds, waited: waited)
        pacer.answered(after: waited)
    }
}
