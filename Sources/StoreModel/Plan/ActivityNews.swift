/// Which activities are worth an event: that a download begins to retry, to wait or to stall, that it still does, and that
/// it has recovered. What recovers and fails again and again is told of twice in ten seconds at most. Pure: the time is passed
/// in.
package struct ActivityNews {
    /// Seconds between two events of a download whose trouble goes on, or comes back.
    package static let interval = 10.0

    private struct Trouble: Equatable {
        var doing: AssetActivity.Doing
        var isStalled: Bool
    }

    private struct Told {
        /// The trouble that was told of last; `nil` once its end was told, too.
        var trouble: Trouble?
        var at: Double
    }

    private var told: [AssetToken: Told] = [:]

    package init() {}

    /// Compares what goes on with what was told before.
    ///
    /// - Parameter now: seconds of the steady clock.
    /// - Returns: what is to be told now; no activity is that nothing works on the asset any more.
    package mutating func changes(
        _ activities: [AssetToken: AssetActivity], now: Double
    ) -> [(token: AssetToken, activity: AssetActivity?)] {
        var changes: [(token: AssetToken, activity: AssetActivity?)] = []
        for token in Set(told.keys).union(activities.keys).sorted() {
            let activity = activities[token]
            let trouble = activity.flatMap { activity in
                activity.isTroubled
                    ? Trouble(doing: activity.doing, isStalled: activity.stalledSince != nil) : nil
            }
            guard isNews(trouble, of: token, now: now) else { continue }
            // An end leaves the time of its beginning, from which a new beginning is counted.
            told[token] = Told(trouble: trouble, at: trouble == nil ? told[token]?.at ?? now : now)
            changes.append((token, activity))
        }
        told = told.filter { $0.value.trouble != nil || now - $0.value.at < Self.interval }
        return changes
    }

    private func isNews(_ trouble: Trouble?, of token: AssetToken, now: Double) -> Bool {
        guard let last = told[token] else { return trouble != nil }
        guard let trouble else { return last.trouble != nil }
        if let before = last.trouble, before != trouble { return true }
        return now - last.at >= Self.interval
    }
}
