/// How many transfers of one asset run at once: 6, or as many as fit into the time that the first ones wait for an
/// answer, as with small segments far away; more while that raises throughput. Pure: time and bytes are passed in.
package struct ParallelismController {
    /// Transfers that may run now.
    package private(set) var limit: Int
    /// Transfers that may run at most.
    package var maximum: Int { didSet { limit = min(limit, maximum) } }
    private var windowStart: Double?
    private var windowBytes: UInt64 = 0
    private var windowCompletions = 0
    private var lastRate: Double?
    private var lastLimit: Int
    private var settledWindows = 0

    static let initial = 6
    package static let step = 4
    static let shortestWindow = 0.1
    static let windowsUntilNextTrial = 20
    /// The part of the hoped-for gain that a trial must bring. Windows are short and their rates waver: when much was
    /// asked, downloads from far away stayed at a number that half used their line.
    static let worthwhile = 0.1

    package init(initial: Int = Self.initial, maximum: Int = 16) {
        limit = min(initial, maximum)
        lastLimit = limit
        self.maximum = maximum
    }

    /// Takes the times of a unit that has arrived. Until the rate is known, its waiting time tells how many transfers
    /// fill the line.
    ///
    /// - Parameters:
    ///   - seconds: the time since its request.
    ///   - waited: the part of this time before its first byte.
    package mutating func unitCame(after seconds: Double, waited: Double) {
        guard lastRate == nil, seconds > 0 else { return }
        let wanted = seconds / max(seconds - waited, seconds / Double(maximum))
        limit = max(limit, min(maximum, Int(wanted.rounded(.up))))
    }

    /// Tells that a transfer has ended.
    ///
    /// - Parameters:
    ///   - totalBytes: bytes received by the asset's transfers so far.
    ///   - now: seconds on a steady clock.
    mutating func transferEnded(totalBytes: UInt64, now: Double) {
        guard let start = windowStart else { return beginWindow(totalBytes, now) }
        windowCompletions += 1
        let elapsed = now - start
        guard elapsed >= Self.shortestWindow, windowCompletions >= limit else { return }
        adapt(rate: Double(totalBytes &- windowBytes) / elapsed)
        beginWindow(totalBytes, now)
    }

    private mutating func beginWindow(_ bytes: UInt64, _ now: Double) {
        windowStart = now
        windowBytes = bytes
        windowCompletions = 0
    }

    private mutating func adapt(rate: Double) {
        defer { lastRate = rate }
        guard let before = lastRate else { return grow() }
        if limit > lastLimit {
            // The last window was a trial.
            let hoped = Double(limit) / Double(lastLimit) - 1
            if rate / before - 1 >= hoped * Self.worthwhile { return grow() }
            limit = lastLimit
            settledWindows = 0
            return
        }
        settledWindows += 1
        if settledWindows >= Self.windowsUntilNextTrial { grow() }
    }

    private mutating func grow() {
        settledWindows = 0
        lastLimit = limit
        limit = min(maximum, limit + Self.step)
    }
}
