/// When the playlist of a live stream is loaded again (RFC 8216bis, section 6.3.4), and when that has no point any more.
/// Pure: time and chance are passed in.
struct ReloadPolicy: Sendable {
    /// What to do after a load.
    enum Step: Equatable, Sendable {
        /// Load again after so many seconds.
        case wait(Double)
        /// Give up.
        case end(RecordingEnd)
    }

    /// What a load brought.
    struct Load: Sendable {
        /// EXT-X-TARGETDURATION, in seconds.
        var target: Double
        /// Seconds of media that it lists.
        var listed: Double
        /// Seconds of media that are new.
        var gained: Double
        /// Seconds since the load before began.
        var elapsed: Double
    }

    /// Seconds without anything new, so far.
    private var silence = 0.0
    private var failures = 0
    /// Seconds in which all that is listed passes by.
    private var passage = Double.infinity

    /// Seconds without anything new after which a stream counts as dead.
    static let patience = 600.0
    /// The same, when the origin says that there is no such playlist.
    static let patienceWithMissing = 60.0
    static let longestPause = 10.0
    static let shortestPause = 0.1
    /// The pause after a failure, when what is listed passes by quickly.
    static let leastPatience = 0.5
    /// The share of a list that may pass by before it is loaded again.
    static let share = 0.4

    /// After a load. A list that moves so fast that it would be missed is loaded sooner than the target duration says.
    mutating func loaded(_ load: Load) -> Step {
        failures = 0
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
    mutating func failed(_ error: StoreError, target: Double, elapsed: Double, chance: Double) -> Step {
        failures += 1
        silence += elapsed
        var limit = Self.patience
        if case .status(404, _) = error.code { limit = Self.patienceWithMissing }
        if case .status(410, _) = error.code { limit = 0 }
        guard silence < limit else { return .end(.gone) }
        if case .status(_, let seconds?) = error.code {
            return .wait(min(max(Double(seconds), Self.shortestPause), Self.patienceWithMissing))
        }
        let usual = max(target / 2, 0.5) * Double(1 << min(failures - 1, 6))
        let longest = min(Self.longestPause, max(passage * Self.share, Self.leastPatience))
        return .wait(max(min(usual, longest) * (0.5 + chance / 2), Self.shortestPause))
    }
}

/// Why a recording has ended.
public enum RecordingEnd: String, Sendable, CaseIterable {
    /// The stream has ended (EXT-X-ENDLIST).
    case ended
    /// As much is recorded as was asked for.
    case duration
    /// As much is recorded as one playlist may list.
    case limit
    /// Somebody stopped it.
    case stopped
    /// Nothing new came any more.
    case stalled
    /// The origin has the stream no more.
    case gone
}
