/// The time at which the playlist of a live stream is loaded again (RFC 8216bis, section 6.3.4), and the time at
/// which loading ends. Pure: time and chance are passed in.
package struct ReloadPolicy: Sendable {
    /// The decision after a load.
    package enum Step: Equatable, Sendable {
        /// Load again after so many seconds.
        case wait(Double)
        /// Give up.
        case end(RecordingEnd)
    }

    /// The result of a load.
    package struct Load: Sendable {
        /// EXT-X-TARGETDURATION, in seconds.
        package var target: Double
        /// Seconds of media that it lists.
        package var listed: Double
        /// Seconds of media that are new.
        package var gained: Double
        /// Seconds since the load before ended: the wait, and this load.
        package var elapsed: Double

        package init(target: Double, listed: Double, gained: Double, elapsed: Double) {
            self.target = target
            self.listed = listed
            self.gained = gained
            self.elapsed = elapsed
        }
    }

    /// Seconds without new segments so far.
    private var silence = 0.0
    /// Loads that failed, in a row.
    package private(set) var failures = 0
    /// Seconds for which loading continues after failures.
    private var left = 0.0
    /// Seconds until all listed segments have left the playlist.
    private var passage = Double.infinity
    /// Whether the last answer came from a cache that had kept it for longer than a target duration, by its Age or
    /// its dates.
    private var isCached = false
    /// The least lag so far. A lag is the time from the end of the playlist, by its dates, to a clock, in seconds.
    /// Only differences of lags count, so the clock may be any.
    private var leastLag: Double?
    /// Seconds since a load last bypassed caches.
    private var sincePassing = Double.infinity

    package init(failures: Int = 0) {
        self.failures = failures
    }

    /// Seconds without new segments after which a stream counts as ended.
    package static let patience = 600.0
    /// The patience for a playlist that the origin does not have (404). After a 410, loading ends at once.
    static let patienceWithMissing = 60.0
    static let longestPause = 10.0
    package static let shortestPause = 0.1
    /// The pause after a failure if the listed segments leave the playlist quickly.
    static let leastPatience = 0.5
    /// The share of the listed segments that may leave the playlist before it is loaded again.
    package static let share = 0.4

    /// Target durations without new segments after which a cache is suspected to be stale: a running stream has a new
    /// segment in each.
    static let staleTargets = 1.5

    /// Whether the next load must bypass all caches (RFC 9111, section 5.2.1.4), because they seem to have kept the
    /// playlist for too long and segments may be missed. At most once in a target duration.
    ///
    /// - Parameter waited: seconds since the load before.
    package mutating func passesCaches(waited: Double, target: Double) -> Bool {
        let isSuspect = isCached || silence + waited > Self.staleTargets * target
        guard isSuspect, sincePassing + waited >= target else { return false }
        // The time counts from the beginning of this load: its `elapsed` will include the wait.
        sincePassing = -waited
        return true
    }

    /// The lag of a playlist's dates that is tolerated, in target durations.
    static let lateTargets = 3.0

    /// Takes an answer.
    ///
    /// - Parameters:
    ///   - age: seconds for which a cache has kept it (RFC 9111, section 5.1); `nil` if unknown.
    ///   - lag: seconds from the end of the playlist, by EXT-X-PROGRAM-DATE-TIME, to a clock; `nil` without a date.
    ///   - passedCaches: whether it came from the origin itself, without a cache.
    package mutating func answered(
        age: Double?, lag: Double? = nil, passedCaches: Bool = false, target: Double
    ) {
        isCached = (age ?? 0) > target
        guard let lag else { return }
        let least = passedCaches ? lag : min(lag, leastLag ?? lag)
        isCached = isCached || lag > least + Self.lateTargets * target
        leastLag = least
    }

    /// Takes a successful load. If segments leave the playlist so fast that some would be missed, it is loaded again
    /// before a target duration has passed.
    package mutating func loaded(_ load: Load) -> Step {
        failures = 0
        sincePassing += load.elapsed
        guard load.gained > 0 else {
            silence += load.elapsed
            return silence > Self.patience ? .end(.stalled) : .wait(max(load.target / 2, Self.shortestPause))
        }
        silence = 0
        passage = load.listed * max(load.elapsed, 0.001) / load.gained
        return .wait(max(min(load.target, passage * Self.share), Self.shortestPause))
    }

    /// Takes a failed load. Loading is repeated fast enough not to miss listed segments after a short outage of the
    /// origin.
    ///
    /// - Parameter chance: a random number in 0 ..< 1.
    package mutating func failed(_ error: StoreError, target: Double, elapsed: Double, chance: Double) -> Step
    {
        failures += 1
        silence += elapsed
        sincePassing += elapsed
        var limit = Self.patience
        if case .status(404, _) = error.code { limit = Self.patienceWithMissing }
        if case .status(410, _) = error.code { limit = 0 }
        guard silence < limit else { return .end(.gone) }
        left = limit - silence
        if case .status(_, let seconds?) = error.code {
            return .wait(min(max(Double(seconds), Self.shortestPause), Self.patienceWithMissing))
        }
        let usual = max(target / 2, 0.5) * Double(1 << min(failures - 1, 6))
        let longest = min(Self.longestPause, max(passage * Self.share, Self.leastPatience))
        return .wait(max(min(usual, longest) * (0.5 + chance / 2), Self.shortestPause))
    }

    /// A wait after a failure, for reports: the number of tries that fit into the remaining time.
    package func wait(_ reason: StoreError, _ seconds: Double) -> RetryWait {
        let more = Int(left / max(seconds, Self.shortestPause))
        return RetryWait(
            reason: reason, seconds: seconds, attempt: failures + 1, tries: failures + 1 + more)
    }
}
