/// The work of the engine, as others see it.
extension DownloadEngine {
    /// Bytes per second that arrived for an asset in the last seconds; `nil` when none did.
    package func speed(of token: AssetToken) -> Double? { running[token]?.meter.speed }

    /// The downloads that run, with their speeds.
    package var speeds: [AssetToken: Double?] { running.mapValues(\.meter.speed) }

    /// The figures of an asset that runs or waits since something failed.
    package func figures(of token: AssetToken) -> LiveFigures {
        LiveFigures(
            speed: speed(of: token), inFlight: context.arriving.bytes(of: token),
            activity: context.board.activity(of: token).map { told($0, of: token) })
    }

    /// The work on all assets that run or wait since something failed.
    package var activities: [AssetToken: AssetActivity] {
        let activities = context.board.activities
        return Dictionary(uniqueKeysWithValues: activities.map { ($0, told($1, of: $0)) })
    }

    /// An activity with what the bytes tell of it: whether none come.
    private func told(_ activity: AssetActivity, of token: AssetToken) -> AssetActivity {
        guard let seconds = running[token]?.meter.stalled() else { return activity }
        var activity = activity
        activity.stalledSince = Timestamp(
            milliseconds: context.clock.now.milliseconds - Int64(seconds * 1000))
        return activity
    }

    /// The figures of all assets that run or wait since something failed.
    package var figures: [AssetToken: LiveFigures] {
        let tokens = Set(running.keys).union(context.board.activities.keys)
        return Dictionary(uniqueKeysWithValues: tokens.map { ($0, figures(of: $0)) })
    }

    /// Tells why an asset waits in the queue, and when it is tried again.
    package func noteWait(_ token: AssetToken, _ failure: StoreError) {
        let postponement = postponed[token]
        let pause = postponement.map { Double($0.until - context.clock.uptime) / 1000 }
        let window = failure.url.flatMap { context.holds.window(for: $0)?.seconds }
        let nextTry = (pause ?? window).map(context.clock.now.adding)
        context.board.waits(
            token, after: failure, attempt: (postponement?.failures ?? 0) + 1, of: Postponement.tries,
            nextTry: nextTry)
    }

    /// Tells of an asset whose host has asked to be left alone, unless more is known of it.
    func noteHold(_ token: AssetToken) {
        guard context.board.activity(of: token) == nil,
            let url = (try? context.catalog.assets.asset(token))??.sourceURL,
            let window = context.holds.window(for: url)
        else { return }
        noteWait(token, window.refusalOfHost(of: url))
    }
}
