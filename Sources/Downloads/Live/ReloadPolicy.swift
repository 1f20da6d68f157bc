/// The time at which the playlist of a live stream is loaded again (RFC 8216bis, section 6.3.4), and when that has no
/// point any more. Pure: time and chance are passed in.
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
        /// Seconds since the load before began.
        package var elapsed: Double

        package init(target: Double, listed: Double, gained: Double, elapsed: Double) {
            self.target = target
            self.listed = listed
            self.gained = gained
            self.elapsed = elapsed
        }
    }

    /// Seconds without anything new, so far.
    private var silence = 0.0
    /// Loads that failed, in a row.
    package private(set) var failures = 0
    /// Seconds for which it goes on after failures.
    private var left = 0.0
    /// Seconds in which all that is listed passes by.
    private var passage = Double.infinity
    /// Whether the last answer came from a cache that had kept it for longer than a target duration, as its age or its
    /// dates say.
    private var isCached = false
    /// Seconds from the end of the playlist, by its dates, to the clock, when they were fewest; the clock may be any.
    private var leastLag: Double?
    /// Seconds since caches were last passed by.
    private var sincePassing = Double.infinity

    package init(failures: Int = 0) {
        self.failures = failures
    }

    /// Seconds without anything new after which a stream counts as dead.
    package static let patience = 600.0
    /// The patience when the origin says that there is no such playlist.
    static let patienceWithMissing = 60.0
    static let longestPause = 10.0
    package static let shortestPause = 0.1
    /// The pause after a failure, when what is listed passes by quickly.
    static let leastPatience = 0.5
    /// The share of a list that may pass by before it is loaded again.
    package static let share = 0.4

    /// Target durations without anything new after which a cache is suspected to have kept the playlist: a stream that goes
    /// on has a new segment in one.
    static let staleTargets = 1.5

    /// Whether the next load is to pass by all caches on the way (RFC 9111, section 5.2.1.4), since they seem to have kept the
    /// playlist for too long: segments may go by meanwhile. Once in a target duration at most.
    ///
    /// - Parameter waited: seconds since the load before.
    mutating func passesCaches(waited: Double, target: Double) -> Bool {
        let isSuspect = isCached || silence + waited > Self.staleTargets * target
        guard isSuspect, sincePassing + waited >= target else { return false }
        // With this load, it begins anew.
        sincePassing = -waited
        return true
    }

    /// Target durations by which the dates of a playlist may fall behind.
    static let lateTargets = 3.0

    /// After an answer.
    ///
    /// - Parameters:
    ///   - age: seconds for which a cache has kept it (RFC 9111, section 5.1); `nil` when none tells.
    ///   - lag: seconds from the end of the playlist, by EXT-X-PROGRAM-DATE-TIME, to a clock; `nil` when it has no date.
    ///   - passedCaches: whether it came from the origin itself, which is as late as it is.
    package mutating func answered(
        age: Double?, lag: Double? = nil, passedCaches: Bool = false, target: Double
    ) {
        isCached = (age ?? 0) > target
        guard let lag else { return }
        let least = passedCaches ? lag : min(lag, leastLag ?? lag)
        isCached = isCached || lag > least + Self.lateTargets * target
        leastLag = least
    }

    /// After a load. A list that moves so fast that it would be missed is loaded sooner than the target duration says.
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

    /// After a load that failed. What is listed is not let pass by for the sake of an origin that was down for a moment.
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

    /// A wait after a failure, as others are told of it: as many tries are left as fit into the time that is left.
    package func wait(_ reason: StoreError, _ seconds: Double) -> RetryWait {
        let more = Int(left / max(seconds, Self.shortestPause))
        return RetryWait(
            reason: reason, seconds: seconds, attempt: failures + 1, tries: failures + 1 + more)
    }
}
