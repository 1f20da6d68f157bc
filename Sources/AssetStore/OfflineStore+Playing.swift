extension OfflineStore {
    /// A part that somebody wants to play now becomes the next to be fetched.
    ///
    /// - Parameter counts: whether it is played with that.
    /// - Returns: the file that it arrives in, which asks for it as long as it is kept; `nil` when nothing may be
    ///   fetched for the asset now.
    package func demand(_ unit: AbsentUnit, counts: Bool = true) async -> ArrivingFile? {
        Trace.pass(.demand, unit.key.traced)
        if let file = reader.arriving.file(unit.key), file.end?.isComplete == true {
            return ArrivingFile(file)
        }
        if context.network.originFallback == .unmetered { await context.network.look() }
        guard mayFetch(unit) else { return nil }
        let file = reader.arriving.expect(unit.key, at: unit.path)
        let hold = reader.players.hold(unit.key, end: unit.end, counts: counts)
        if !reader.players.isServed(unit.key.token) { await engine.demanded(unit.key) }
        return ArrivingFile(file, hold: hold)
    }

    /// Fetches parts that somebody needs as a whole; returns when they are stored, or can't be had, or when
    /// the task is cancelled.
    ///
    /// - Parameter counts: whether they are played with that.
    /// - Returns: whether they may be fetched now.
    package func fetch(_ units: [AbsentUnit], counts: Bool) async -> Bool {
        var files: [ArrivingFile] = []
        for unit in units {
            guard let file = await demand(unit, counts: counts) else { return false }
            files.append(file)
        }
        for unit in units { await reader.arriving.untilGone(unit.key) }
        // They are asked for as long as these are kept.
        return withExtendedLifetime(files) { !files.contains(where: \.hasFailed) }
    }

    private func mayFetch(_ unit: AbsentUnit) -> Bool {
        switch unit.state {
        case .downloading: true
        case .queued:
            unit.reason == nil || unit.reason == StateReason.slot.rawValue || context.network.mayFallBack
        case .paused, .cancelled, .failed, .complete: !unit.isGone && context.network.mayFallBack
        case .resolving, .removing: false
        }
    }
}
