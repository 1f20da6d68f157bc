/// The work of the engine, as others see it.
extension DownloadEngine {
    private var activity: EngineActivity {
        EngineActivity(runs: work.runs, board: parts.board, arriving: parts.demand.arriving, now: now)
    }

    /// The downloads that run, with the bytes per second that arrive; `nil` when none do.
    package var speeds: [AssetToken: Double?] { activity.speeds }

    /// The figures of an asset that runs or waits since something failed.
    package func figures(of token: AssetToken) -> LiveFigures { activity.figures(of: token) }

    /// The figures of all assets that run or wait since something failed.
    package var figures: [AssetToken: LiveFigures] { activity.figures }

    /// The work on all assets that run or wait since something failed.
    package var activities: [AssetToken: AssetActivity] { activity.activities }

    /// Tells why an asset waits in the queue, and when it is tried again.
    package func noteWait(_ token: AssetToken, _ failure: StoreError) {
        let postponement = postponements[token]
        let pause = postponement.map { Double($0.until - uptime) / 1000 }
        let window = failure.url.flatMap { parts.origins.holds.window(for: $0)?.seconds }
        let nextTry = (pause ?? window).map(now.adding)
        parts.board.waits(
            token, after: failure, attempt: (postponement?.failures ?? 0) + 1, of: Postponement.tries,
            nextTry: nextTry)
    }

    /// Tells of an asset whose host has asked to be left alone, unless more is known of it.
    func noteHold(_ token: AssetToken) {
        guard parts.board.activity(of: token) == nil,
            let url = (try? catalog.assets.asset(token))??.sourceURL,
            let window = parts.origins.holds.window(for: url)
        else { return }
        noteWait(token, window.refusalOfHost(of: url))
    }
}

/// What is done at one moment, by the board and the bytes that come.
struct EngineActivity {
    let runs: [AssetToken: ActiveWork.Run]
    let board: ActivityBoard
    let arriving: ArrivingUnits
    let now: Timestamp

    var speeds: [AssetToken: Double?] { runs.mapValues(\.meter.speed) }

    func figures(of token: AssetToken) -> LiveFigures {
        LiveFigures(
            speed: runs[token]?.meter.speed, inFlight: arriving.bytes(of: token),
            activity: board.activity(of: token).map { told($0, of: token) })
    }

    var figures: [AssetToken: LiveFigures] {
        let tokens = Set(runs.keys).union(board.activities.keys)
        return Dictionary(uniqueKeysWithValues: tokens.map { ($0, figures(of: $0)) })
    }

    var activities: [AssetToken: AssetActivity] {
        Dictionary(uniqueKeysWithValues: board.activities.map { ($0, told($1, of: $0)) })
    }

    /// An activity with what the bytes tell of it: whether none come.
    private func told(_ activity: AssetActivity, of token: AssetToken) -> AssetActivity {
        guard let seconds = runs[token]?.meter.stalled() else { return activity }
        var activity = activity
        activity.stalledSince = Timestamp(milliseconds: now.milliseconds - Int64(seconds * 1000))
        return activity
    }
}
