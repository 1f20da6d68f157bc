/// Decides which activities become events: the start of a retry, a wait or a stall, its continuation, and the
/// recovery. A trouble that comes and goes is reported at most twice in ten seconds, and a wait once. Pure: the time is
/// passed in.
package struct ActivityNews {
    /// The shortest time between two events of a download whose trouble persists or returns, in seconds.
    package static let interval = 10.0

    private struct Trouble: Equatable {
        var doing: AssetActivity.Doing
        var isStalled: Bool
        /// The next try that a wait is for.
        var nextTryAt: Timestamp?

        init?(_ activity: AssetActivity) {
            guard activity.isTroubled else { return nil }
            (doing, isStalled) = (activity.doing, activity.stalledSince != nil)
            nextTryAt = doing == .waiting ? activity.nextTryAt : nil
        }
    }

    private struct Told {
        /// The trouble that was reported last; `nil` after its end was reported.
        var trouble: Trouble?
        var at: Double
    }

    private var told: [AssetToken: Told] = [:]

    package init() {}

    /// Compares the present activities with those that were reported.
    ///
    /// - Parameter now: seconds of the steady clock.
    /// - Returns: the activities to report now; a missing one means that the work on the asset has ended.
    package mutating func changes(
        _ activities: [AssetToken: AssetActivity], now: Double
    ) -> [(token: AssetToken, activity: AssetActivity?)] {
        var changes: [(token: AssetToken, activity: AssetActivity?)] = []
        for token in Set(told.keys).union(activities.keys).sorted() {
            let activity = activities[token]
            let trouble = activity.flatMap(Trouble.init)
            guard isNews(trouble, of: token, now: now) else { continue }
            // At an end, the time of the beginning stays, from which the next beginning is counted.
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
        // Nothing happens during a wait.
        if last.trouble?.doing == .waiting { return false }
        return now - last.at >= Self.interval
    }
}
