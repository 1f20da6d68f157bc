/// Decides the consequence of a unit that can't be fetched. Pure: facts come from closures.
struct LossRules {
    /// The verdict on a unit.
    enum Verdict: Equatable {
        /// The disk did not take it: it is fetched once more.
        case fetchAgain
        /// The unit becomes a gap in the recording.
        case gap
        /// The unit is requested once more after all others are stored.
        case later
        /// The asset fails when everything else is stored.
        case failsInTheEnd
        /// No more units of its rendition are fetched in this run; a fresh address or another try may bring them.
        case setback
        /// Its rendition is given up.
        case givenUp
        /// The run ends with the error.
        case endsRun
        /// The run ends until there is a network.
        case waitsForNetwork
        /// No consequence, since only players wanted the unit.
        case nothing
    }

    /// The facts that others know.
    struct Facts {
        /// Whether the host of a URL can be reached through the network.
        var isOnline: (_ url: String) -> Bool
        /// Whether to ask for a fresh address, since the origin refused this unit of a recording.
        var asksForAddress: (UnitID) -> Bool
        /// Whether a fresh address may bring the unit.
        var mayHelp: (UnitID) -> Bool
        /// Whether its origin may have the unit later.
        var mayPass: (UnitID) -> Bool
        /// The address of the asset's stream.
        var sourceURL: () throws(StoreError) -> String?
    }

    let isForPlayersOnly: Bool
    /// Whether it is a recording, which may have gaps.
    let isLive: Bool
    /// Whether the units that the origin lacked are being requested again.
    let isSecondRound: Bool

    func verdict(on error: StoreError, of job: UnitJob, _ facts: Facts) throws(StoreError) -> Verdict {
        switch error.errorClass {
        case .disk: return .fetchAgain
        case .engine: return .endsRun
        default: break
        }
        // A unit that only a player wanted is no reason to give up a rendition.
        guard !isForPlayersOnly else { return .nothing }
        if isLive, let verdict = live(error, of: job, facts: facts) { return verdict }
        if case .status(404, _) = error.code, !isSecondRound { return .later }
        return try job.rendition.required ? required(error) : optional(error, of: job, facts: facts)
    }

    /// Makes a gap of a unit that a recording can't get. The rendition is not given up, except to wait for a fresh
    /// address. A unit that was stored once is no gap: its file may come back.
    private func live(_ error: StoreError, of job: UnitJob, facts: Facts) -> Verdict? {
        if error.errorClass == .auth, facts.asksForAddress(job.id) { return .endsRun }
        guard job.unit.kind == .segment, facts.isOnline(job.unit.url) else { return nil }
        guard job.unit.sha256 != nil else { return .gap }
        // The recording must go on meanwhile.
        if case .status(404, _) = error.code, !isSecondRound { return .later }
        return .failsInTheEnd
    }

    /// Notes the loss of a unit and goes on, or throws. A unit that the origin does not have any more, or has in
    /// pieces, concerns one segment, and the rest is still worth having. Any other failure would meet every segment
    /// in the same way.
    private func required(_ error: StoreError) -> Verdict {
        switch error.errorClass {
        case .http where !error.isRetryable, .integrity: .failsInTheEnd
        default: .endsRun
        }
    }

    /// Whether a failed unit waits for a fresh address. A failure that all units of all renditions share is no reason
    /// to give one rendition up.
    private func optional(_ error: StoreError, of job: UnitJob, facts: Facts) throws(StoreError) -> Verdict {
        switch error.errorClass {
        case .auth: return !isLive && facts.mayHelp(job.id) ? .setback : .givenUp
        case .network where error.isRetryable:
            // The engine decides by the same address when the asset continues. With another address, the run would
            // end and begin again at once.
            if let url = try facts.sourceURL(), !facts.isOnline(url) { return .waitsForNetwork }
        case .http where error.isRetryable: break
        default: return .givenUp
        }
        return !isLive && facts.mayPass(job.id) ? .setback : .givenUp
    }
}
