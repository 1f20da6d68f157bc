/// Decides what becomes of a unit that could not be had. Pure: what others know is asked of them.
struct LossRules {
    /// The verdict on a unit.
    enum Verdict: Equatable {
        /// The disk did not take it: it is fetched once more.
        case fetchAgain
        /// It is a gap in the recording.
        case gap
        /// It is asked for once more when all others are there.
        case later
        /// The asset fails when everything else is stored.
        case failsInTheEnd
        /// Nothing more of its rendition is fetched in this run; a fresh address, or another try, may bring it.
        case setback
        /// Nothing more of its rendition is fetched.
        case givenUp
        /// The run ends with the error.
        case endsRun
        /// The run ends until there is a network.
        case waitsForNetwork
        /// Nothing: only players wanted it.
        case nothing
    }

    /// The facts that others know.
    struct Facts {
        /// Whether there is a way to the host of a URL.
        var isOnline: (_ url: String) -> Bool
        /// Whether a fresh address is asked for, since a recording was refused this unit.
        var asksForAddress: (UnitID) -> Bool
        /// Whether a fresh address may bring it.
        var mayHelp: (UnitID) -> Bool
        /// Whether its origin may have it a while later.
        var mayPass: (UnitID) -> Bool
        /// The address of the asset's stream.
        var sourceURL: () throws(StoreError) -> String?
    }

    let isForPlayersOnly: Bool
    /// Whether it is a recording, which may have gaps.
    let isLive: Bool
    /// Whether what the origin did not have is being asked for once more.
    let isSecondRound: Bool

    func verdict(on error: StoreError, of job: UnitJob, _ facts: Facts) throws(StoreError) -> Verdict {
        switch error.errorClass {
        case .disk: return .fetchAgain
        case .engine: return .endsRun
        default: break
        }
        // What a player alone wanted is no reason to give up anything.
        guard !isForPlayersOnly else { return .nothing }
        if isLive, let verdict = live(error, of: job, facts: facts) { return verdict }
        if case .status(404, _) = error.code, !isSecondRound { return .later }
        return try job.rendition.required ? required(error) : optional(error, of: job, facts: facts)
    }

    /// Makes a gap of a unit that a recording can't have. Nothing else is given up for that, unless a fresh address
    /// may help.
    private func live(_ error: StoreError, of job: UnitJob, facts: Facts) -> Verdict? {
        if error.errorClass == .auth, facts.asksForAddress(job.id) { return .endsRun }
        guard job.unit.kind == .segment, !error.isStopped, facts.isOnline(job.unit.url) else { return nil }
        return .gap
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

    /// Whether a failed unit waits for a fresh address: a failure that every unit of every rendition would meet is no
    /// reason to give one up.
    private func optional(_ error: StoreError, of job: UnitJob, facts: Facts) throws(StoreError) -> Verdict {
        switch error.errorClass {
        case .auth: return !isLive && facts.mayHelp(job.id) ? .setback : .givenUp
        case .network where error.isRetryable:
            // The engine lets the asset go on by the same address: by another one it would end and begin at once.
            if let url = try facts.sourceURL(), !facts.isOnline(url) { return .waitsForNetwork }
        case .http where error.isRetryable: break
        default: return .givenUp
        }
        return !isLive && facts.mayPass(job.id) ? .setback : .givenUp
    }
}
