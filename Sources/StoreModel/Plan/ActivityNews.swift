/// Which activities are worth an event: that a download begins to retry or to wait, that it still does, and that it has
/// recovered. What recovers and fails again and again is told of twice in ten seconds at most. Pure: the time is passed
/// in.
package struct ActivityNews {
    /// Seconds between two events of a download whose trouble goes on, or comes back.
    package static let interval = 10.0

    private struct Told {
        /// The trouble that was told of last; `nil` once its end was told, too.
        var doing: AssetActivity.Doing?
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
            let doing = activity.flatMap { $0.isTroubled ? $0.doing : nil }
            guard isNews(doing, of: token, now: now) else { continue }
            // An end leaves the time of its beginning, from which a new beginning is counted.
            told[token] = Told(doing: doing, at: doing == nil ? told[token]?.at ?? now : now)
            changes.append((token, activity))
        }
        told = told.filter { $0.value.doing != nil || now - $0.value.at < Self.interval }
        return changes
    }

    private func isNews(_ doing: AssetActivity.Doing?, of token: AssetToken, now: Double) -> Bool {
        guard let last = told[token] else { return doing != nil }
        guard let doing else { return last.doing != nil }
        if let before = last.doing, before != doing { return true }
        return now - last.at >= Self.interval
    }
}
