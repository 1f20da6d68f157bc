/// The line to an origin, as far as it is known: its rate, and how many transfers are worth while at the beginning of
/// a download. Pure: time and bytes are passed in.
///
/// A download begins with one transfer, so that a player that opens the asset at once has the whole line for its first
/// segment. Once a unit has come at once, since the line is fast or the unit so small that the round trip counts, it
/// has the usual number of them; else it gets more while more transfers bring more. A line that one transfer fills is
/// left at three, so that it carries something while the others ask for more.
package struct LineProbe {
    /// Bytes a second; `nil` while nothing took long enough to tell.
    package private(set) var rate: Double?
    /// Transfers that are worth while now.
    package private(set) var allowance = 1
    private let usual: Int
    private var windowStart: Double
    private var windowBytes: UInt64 = 0
    private var rateBefore: Double?
    private var windowsUntilTrial = 0
    private var isTrial = false
    /// Seconds until the first byte of the quickest answer.
    private var wait: Double?

    /// Seconds that are measured at a time; a unit that takes less is small.
    package static let window = 0.25
    /// Seconds that are measured while nothing is known: the line rests between the first unit and what comes after it.
    static let firstWindow = 0.1
    /// How much more one more transfer must bring.
    static let gain = 1.2
    static let windowsBetweenTrials = 8
    /// Transfers once the line is known: while one asks for its next piece, the line would carry nothing, and two do so
    /// at once now and then.
    static let fewest = 3
    /// Bytes a second from which units are asked for as a whole in any case.
    static let fastRate = 4e6
    /// Seconds of the line that are asked for at a time where a player may want it.
    package static let piece = 0.4
    static let smallestPiece: UInt64 = 4096
    /// How much longer a piece comes than its answer takes: from far away, the line would rest most of the time, seem
    /// slow for that, and be asked for ever less.
    static let piecesPerWait = 4.0
    /// Seconds of the line that are asked for at a time, however far away.
    static let longestPiece = 2.0

    package init(usual: Int, now: Double) {
        self.usual = usual
        windowStart = now
    }

    /// Whether more transfers may turn out to be worth while soon.
    package var isRamping: Bool { allowance < usual }

    /// A unit has come. How long it was waited for says nothing of what the line carries: from far away, each answer
    /// takes longer than a small unit on a slow line.
    ///
    /// - Parameters:
    ///   - seconds: from its first byte to its last.
    ///   - waited: seconds until its first byte.
    package mutating func unitCame(within seconds: Double, waited: Double) {
        if seconds < Self.window { allowance = max(allowance, usual) }
        // Others that come on the same line make answers wait as well; the quickest tells how far away the origin is.
        wait = min(wait ?? waited, waited)
    }

    /// Seconds from one look to the next.
    package var interval: Double { rate == nil ? Self.firstWindow : Self.window }

    /// Whether it is time to look.
    package func isDue(_ now: Double) -> Bool { now - windowStart >= interval }

    /// Looks at what came since the last time.
    ///
    /// - Parameters:
    ///   - total: bytes that have come so far.
    ///   - wasBusy: whether something was coming all the time. Else the line may carry much more than what came: the
    ///     origin took its time, or there was nothing to fetch.
    package mutating func look(total: UInt64, now: Double, wasBusy: Bool) {
        guard isDue(now), total != windowBytes || now - windowStart >= Self.window else { return }
        let fresh = Double(total &- windowBytes) / (now - windowStart)
        (windowStart, windowBytes) = (now, total)
        let isTelling = wasBusy ? fresh > 0 : fresh > rate ?? .infinity
        if isTelling { rate = rate.map { ($0 + fresh) / 2 } ?? fresh }
        // While something comes and nothing is known of the line, one more would be asked for as a whole.
        if isRamping, rate != nil || fresh == 0 { adapt(fresh) }
    }

    private mutating func adapt(_ fresh: Double) {
        defer { rateBefore = fresh }
        guard fresh > 0, let before = rateBefore, before > 0 else { return tryMore() }
        if isTrial {
            isTrial = false
            if fresh >= before * Self.gain { return tryMore() }
            allowance = max(Self.fewest, allowance - 1)
            windowsUntilTrial = Self.windowsBetweenTrials
        }
        windowsUntilTrial -= 1
        if windowsUntilTrial <= 0 { tryMore() }
    }

    private mutating func tryMore() {
        isTrial = true
        allowance += 1
    }

    /// How many bytes to ask for at a time, so that the line is free soon when a player wants it; `nil` for all.
    ///
    /// - Parameter lanes: how many transfers share the line.
    package func pieceLength(lanes: Int) -> UInt64? {
        guard let rate, rate < Self.fastRate else { return nil }
        let seconds = min(max(Self.piece, (wait ?? 0) * Self.piecesPerWait), Self.longestPiece)
        return max(Self.smallestPiece, UInt64(rate * seconds / Double(max(1, lanes))))
    }
}
