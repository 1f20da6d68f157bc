/// Spreads the starts of an asset's transfers over the time that an answer takes. Pure: times are passed in, in seconds.
///
/// Transfers that start together are answered together, share the line and end together; so do the next ones, and
/// each time the line is idle until the next answers. If starts are spread, some transfers receive while others wait.
package struct StartPacer {
    /// The time that the quickest answers take until their first byte.
    private var wait: Double?
    private var next = 0.0

    /// Seconds that are not worth waiting for.
    static let negligible = 0.0005
    /// Seconds between two starts at most: an origin that took its time once may answer at once from then on.
    package static let longest = 0.05
    /// The weight of a slower answer in the average wait; many slow answers came over new connections.
    package static let weight = 0.1

    /// An answer's first byte has come, so many seconds after it was asked for.
    package mutating func answered(after seconds: Double) {
        let known = wait ?? seconds
        wait = seconds < known ? seconds : known + (seconds - known) * Self.weight
    }

    /// Seconds until one more transfer should start; 0 when it may at once.
    package func pause(now: Double) -> Double {
        let seconds = next - now
        return seconds > Self.negligible ? seconds : 0
    }

    /// Notes a start.
    ///
    /// - Parameter lanes: the largest number of simultaneous transfers.
    package mutating func started(now: Double, lanes: Int) {
        let interval = min((wait ?? 0) / Double(max(1, lanes)), Self.longest)
        guard interval > Self.negligible else { return }
        // A late start makes the next one come earlier.
        next = max(next, now - interval) + interval
    }
}
