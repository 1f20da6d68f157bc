extension DownloadEngine {
    /// The current work of the engine.
    package var activity: EngineActivity {
        EngineActivity(runs: work.runs, board: parts.board, arriving: parts.demand.arriving, now: now)
    }

    /// Tells why an asset waits in the queue, and when it is tried again.
    package func noteWait(_ token: AssetToken, _ failure: StoreError) {
        notices.note(token, failure, postponement: postponements[token])
    }
}

/// The work on the assets of a store at one moment, by the board and the bytes that come.
package struct EngineActivity: Sendable {
    let runs: [AssetToken: ActiveWork.Run]
    let board: ActivityBoard
    let arriving: ArrivingUnits
    let now: Timestamp

    /// The running downloads with their rates in bytes per second; `nil` if no bytes arrive.
    package var speeds: [AssetToken: Double?] { runs.mapValues(\.meter.speed) }

    /// The figures of an asset that runs, or that waits after a failure.
    package func figures(of token: AssetToken) -> LiveFigures {
        LiveFigures(
            speed: runs[token]?.meter.speed, inFlight: arriving.bytes(of: token),
            activity: board.activity(of: token).map { told($0, of: token) })
    }

    /// The figures of all assets that run, or that wait after a failure.
    package var figures: [AssetToken: LiveFigures] {
        let tokens = Set(runs.keys).union(board.activities.keys)
        return Dictionary(uniqueKeysWithValues: tokens.map { ($0, figures(of: $0)) })
    }

    /// The work on all assets that run, or that wait after a failure.
    package var activities: [AssetToken: AssetActivity] {
        Dictionary(uniqueKeysWithValues: board.activities.map { ($0, told($1, of: $0)) })
    }

    /// An activity, marked as stalled if no bytes arrive.
    private func told(_ activity: AssetActivity, of token: AssetToken) -> AssetActivity {
        guard let seconds = runs[token]?.meter.stalled() else { return activity }
        var activity = activity
        activity.stalledSince = Timestamp(milliseconds: now.milliseconds - Int64(seconds * 1000))
        return activity
    }
}

/// Tells others why assets wait in the queue, and when they are tried again.
struct WaitNotices {
    let store: StoreAccess
    let board: ActivityBoard
    let cooldowns: HostCooldowns

    /// Reports why an asset waits.
    ///
    /// - Parameter postponement: the next try; `nil` if the host names the time, or if it is unknown.
    func note(_ token: AssetToken, _ failure: StoreError, postponement: Postponement?) {
        let pause = postponement.map { Double($0.until - store.clock.uptime) / 1000 }
        let window = failure.url.flatMap { cooldowns.window(for: $0)?.seconds }
        let nextTry = (pause ?? window).map(store.now.adding)
        board.waits(
            token, after: AssetFailure(occurrence: failure, at: store.now),
            attempt: (postponement?.failures ?? 0) + 1, of: Postponement.tries,
            nextTry: nextTry)
    }

    /// Tells of an asset whose host has asked to be left alone, unless more is known of it.
    func noteHold(_ token: AssetToken, _ postponement: Postponement?) {
        guard board.activity(of: token) == nil,
            let url = (try? store.catalog.assets.asset(token))??.sourceURL,
            let window = cooldowns.window(for: url)
        else { return }
        note(token, window.refusalOfHost(of: url), postponement: postponement)
    }
}
