/// The outcome for an asset whose run, or the reading of whose playlists, has ended.
enum RunOutcome {
    /// Everything is stored.
    case complete
    /// The asset continues by itself when a condition is met.
    case queued(StateReason)
    /// The asset waits for a fresh address.
    case refused(AddressRefreshes.Refusal)
    /// The asset has failed.
    case failed(StoreError)

    /// The action on its state.
    var action: AssetAction {
        switch self {
        case .complete: .finish
        case .queued, .refused: .yield
        case .failed: .fail
        }
    }

    /// Whether the asset continues by itself.
    var goesOn: Bool { action == .yield }

    /// The details that are written beside the state.
    func detail(of token: AssetToken, now: Timestamp) -> TransitionDetail {
        switch self {
        case .complete: TransitionDetail(now: now)
        case .queued(let reason): TransitionDetail(reason: reason, now: now)
        case .refused: TransitionDetail(reason: .link, now: now)
        case .failed(let error):
            TransitionDetail(
                reason: .failed(error.errorClass), failure: AssetFailure(error.at(.asset(token)), at: now),
                now: now)
        }
    }
}

/// Outcomes of runs that could not be written to the catalog yet: its disk may be full.
struct UnwrittenEnds {
    private var ends: [AssetToken: Result<Void, StoreError>] = [:]
    private var failures: [AssetToken: StoreError] = [:]

    var isEmpty: Bool { ends.isEmpty }
    /// The assets with their errors; `nil` for those that are complete.
    var all: [(token: AssetToken, failure: StoreError?)] {
        ends.map { token, end in
            if case .failure(let failure) = end { (token, failure) } else { (token, nil) }
        }
    }

    /// The error of an asset whose outcome is not written.
    func failure(of token: AssetToken) -> StoreError? { failures[token] }

    /// Keeps an end that the catalog did not take.
    mutating func keep(_ token: AssetToken, _ failure: StoreError?, because error: StoreError) {
        failures[token] = failure ?? error
        ends[token] = failure.map { .failure($0) } ?? .success(())
    }

    /// Drops an outcome: it has been written, or a new run or a user's change has replaced it.
    mutating func forget(_ token: AssetToken) { (ends[token], failures[token]) = (nil, nil) }
}
