/// The measurement of the line to an origin: its rate, and how many transfers are useful at the beginning of a
/// download. Pure: time and bytes are passed in.
///
/// A download begins with one transfer, so that a player that opens the asset at once has the whole line for its
/// first segment. If a unit arrives very quickly, because the line is fast or because the unit is small against the
/// round trip, the download gets the usual number of transfers at once; otherwise it gets more as long as more
/// transfers bring more bytes. A line that one transfer fills keeps three, so that it is busy while the others
/// request more.
package struct LineProbe {
    /// Bytes per second; `nil` while no transfer took long enough to measure.
    package private(set) var rate: Double?
    /// The number of transfers that are useful now.
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
    /// The seconds of the first measurement. It is short, because the line is idle between the first unit and the next
    /// one.
    static let firstWindow = 0.1
    /// The factor by which one more transfer must raise the rate, so that it stays.
    static let gain = 1.2
    static let windowsBetweenTrials = 8
    /// The smallest number of transfers on a known line: a transfer that requests its next piece leaves the line
    /// idle, and two sometimes do so at once.
    static let fewest = 3
    /// The lowest rate at which each unit is fetched by one request, in bytes per second.
    static let fastRate = 4e6
    /// The length of a piece, in seconds of the line, if a player may want the line.
    package static let piece = 0.4
    static let smallestPiece: UInt64 = 4096
    /// The time that a piece takes to arrive, as a multiple of the wait for its first byte. With shorter pieces, the
    /// line to a distant origin would be idle most of the time. Its measured rate would fall, and the pieces would get
    /// ever shorter.
    static let piecesPerWait = 4.0
    /// The largest length of a piece, in seconds of the line, for distant origins.
    static let longestPiece = 2.0

    package init(usual: Int, now: Double) {
        self.usual = usual
        windowStart = now
    }

    /// Whether more transfers may turn out to be useful soon.
    package var isRamping: Bool { allowance < usual }

    /// Takes the times of a unit that has arrived. The waiting time says nothing about the line's rate: from a
    /// distant origin, each answer takes longer than a small unit on a slow line.
    ///
    /// - Parameters:
    ///   - seconds: the time from its first byte to its last.
    ///   - waited: the seconds before its first byte.
    package mutating func unitCame(within seconds: Double, waited: Double) {
        if seconds < Self.window { allowance = max(allowance, usual) }
        // Other transfers on the same line delay answers; the quickest answer shows the distance of the origin.
        wait = min(wait ?? waited, waited)
    }

    /// Seconds from one look to the next.
    package var interval: Double { rate == nil ? Self.firstWindow : Self.window }

    /// Whether it is time to measure.
    package func isDue(_ now: Double) -> Bool { now - windowStart >= interval }

    /// Measures the bytes since the last time.
    ///
    /// - Parameters:
    ///   - total: all bytes that have arrived so far.
    ///   - wasBusy: whether bytes were arriving all the time. Otherwise the line may carry much more: the origin was
    ///     slow, or there was nothing to fetch.
    package mutating func look(total: UInt64, now: Double, wasBusy: Bool) {
        guard isDue(now), total != windowBytes || now - windowStart >= Self.window else { return }
        let fresh = Double(total &- windowBytes) / (now - windowStart)
        (windowStart, windowBytes) = (now, total)
        let isTelling = wasBusy ? fresh > 0 : fresh > rate ?? .infinity
        if isTelling { rate = rate.map { ($0 + fresh) / 2 } ?? fresh }
        // While bytes arrive and the rate is unknown, one more transfer would request a whole unit.
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

    /// The number of bytes to request at a time, so that the line is free soon when a player wants it; `nil` requests
    /// a unit as a whole.
    ///
    /// - Parameter lanes: how many transfers share the line.
    package func pieceLength(lanes: Int) -> UInt64? {
        guard let rate, rate < Self.fastRate else { return nil }
        let seconds = min(max(Self.piece, (wait ?? 0) * Self.piecesPerWait), Self.longestPiece)
        return max(Self.smallestPiece, UInt64(rate * seconds / Double(max(1, lanes))))
    }
}
