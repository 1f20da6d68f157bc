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
            activity: context.board.activity(of: token))
    }

    /// The figures of all assets that run or wait since something failed.
    package var figures: [AssetToken: LiveFigures] {
        let tokens = Set(running.keys).union(context.board.activities.keys)
        return Dictionary(uniqueKeysWithValues: tokens.map { ($0, figures(of: $0)) })
    }

    /// Tells why an asset goes back to the queue, and when it is tried again.
    func noteWait(_ token: AssetToken, _ failure: StoreError) {
        let postponement = postponed[token]
        let nextTry = postponement.map { postponement in
            context.clock.now.adding(Double(postponement.until - context.clock.uptime) / 1000)
        }
        context.board.waits(
            token, after: failure, attempt: (postponement?.failures ?? 0) + 1, of: Postponement.tries,
            nextTry: nextTry)
    }
}
