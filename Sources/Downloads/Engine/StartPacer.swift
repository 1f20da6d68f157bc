/// Spreads the starts of an asset's transfers over the time that an answer takes. Pure: times are passed in, in seconds.
///
/// Transfers that start together are answered together, share the line and end together; so do those that follow them,
/// and the line rests each time until the next answers come. Spread, some are answered while others are asked for.
package struct StartPacer {
    /// The time that the quickest answers take until their first byte.
    private var wait: Double?
    private var next = 0.0

    /// Seconds that are not worth waiting for.
    static let negligible = 0.0005
    /// Seconds between two starts at most: an origin that took its time once may answer at once from then on.
    package static let longest = 0.05
    /// The part by which what is known of waiting follows slower answers; many of them have come on new connections.
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

    /// One has started.
    ///
    /// - Parameter lanes: how many may run at a time.
    package mutating func started(now: Double, lanes: Int) {
        let interval = min((wait ?? 0) / Double(max(1, lanes)), Self.longest)
        guard interval > Self.negligible else { return }
        // Who is late has the next one come the sooner.
        next = max(next, now - interval) + interval
    }
}
