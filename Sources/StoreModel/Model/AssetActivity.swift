/// The work that an engine does for an asset at this moment. Only the engine knows it; it is stored nowhere.
public struct AssetActivity: Sendable, Equatable {
    /// The kind of work.
    public enum Doing: String, Sendable, CaseIterable {
        /// Playlists and keys are being read.
        case resolving
        /// Media are being fetched.
        case transferring
        /// A request has failed and is retried; other transfers may go on.
        case retrying
        /// The asset waits for a time or a condition.
        case waiting
        /// All media have arrived; the last of them are being stored.
        case finishing
    }

    /// The kind of work.
    public var doing: Doing
    /// The time at which this kind of work began.
    package var since: Timestamp
    /// The number of the current or next try of the request that has failed most often; 1 when nothing has failed.
    public var attempt: Int
    /// The number of tries after which it is given up.
    public var of: Int
    /// The failure of the last try; `nil` without one.
    public var lastError: AssetFailure?
    /// The time of the next try; `nil` if it is running or unknown.
    package var nextTryAt: Timestamp?
    /// The time since which running transfers have received no byte; `nil` for the first 3 seconds of a stall.
    package var stalledSince: Timestamp?

    /// An activity.
    package init(
        doing: Doing, since: Timestamp, attempt: Int = 1, of: Int = 1, lastError: AssetFailure? = nil,
        nextTryAt: Timestamp? = nil, stalledSince: Timestamp? = nil
    ) {
        (self.doing, self.since, self.attempt, self.of) = (doing, since, attempt, of)
        (self.lastError, self.nextTryAt, self.stalledSince) = (lastError, nextTryAt, stalledSince)
    }

    /// Whether an event should report it: a retry, a wait or a stall.
    package var isTroubled: Bool { doing == .retrying || doing == .waiting || stalledSince != nil }
}

/// The figures of an asset that only a running engine knows.
public struct LiveFigures: Sendable, Equatable {
    /// Bytes per second in the last seconds; `nil` if none arrived.
    public var speed: Double?
    /// Bytes that have arrived of units that are not committed yet.
    public var inFlight: Int64
    /// The work on it; `nil` without any.
    public var activity: AssetActivity?

    /// Makes figures; by default those of an asset without work on it.
    public init(speed: Double? = nil, inFlight: Int64 = 0, activity: AssetActivity? = nil) {
        (self.speed, self.inFlight, self.activity) = (speed, inFlight, activity)
    }

    /// The figures of an asset, completed from the catalog: a queued asset waits, and an ended one is idle.
    ///
    /// - Parameters:
    ///   - asset: the asset, as the catalog has it.
    ///   - known: the engine's figures; `nil` if it has none.
    public static func of(_ asset: Asset, known: LiveFigures?) -> LiveFigures {
        var figures = known ?? LiveFigures()
        switch asset.state {
        case .queued where asset.reason == Asset.reasonOfNoEngine: figures.activity = nil
        case .queued:
            let waiting = AssetActivity(
                doing: .waiting, since: asset.stateSince, of: TransferLimits.segmentTries,
                nextTryAt: asset.waitsUntil)
            if figures.activity?.doing != .waiting { figures.activity = waiting }
        case .resolving, .downloading: break
        case .failed where figures.activity?.doing == .waiting: break
        case .paused, .complete, .cancelled, .failed, .removing: figures.activity = nil
        }
        return figures
    }
}
