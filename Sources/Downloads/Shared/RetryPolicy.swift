internal import Transfers

/// The times at which a failed transfer is tried again: full jitter between nothing and 1, 2, 4 … 60 s; 8 tries
/// without a byte of progress; Retry-After is obeyed. Pure: chance is passed in.
package struct RetryPolicy {
    /// Tries that made no progress, in a row.
    package private(set) var failures = 0
    /// Tries without progress after which it gives up.
    package var tries = usualTries
    package static let usualTries = TransferLimits.segmentTries
    /// Whether a 404 is retried a few times: segments of a live playlist may not have reached all caches yet.
    var retriesMissing = false
    /// The number of tries after an error that is rarely temporary.
    static let fewTries = 4
    static let longestDelay = 60.0

    /// The decision after a failure.
    package enum Verdict: Equatable {
        /// Try again after so many seconds.
        case retry(after: Double)
        /// Give up.
        case giveUp
    }

    /// Judges a failure.
    ///
    /// - Parameters:
    ///   - error: the failure.
    ///   - madeProgress: whether bytes came since the last failure; this resets the count.
    ///   - chance: a random number in 0 ..< 1.
    package mutating func failed(_ error: StoreError, madeProgress: Bool, chance: Double) -> Verdict {
        guard mayPass(error) || error.isRetryable else { return .giveUp }
        failures = madeProgress ? 1 : failures + 1
        guard failures < tries(for: error) else { return .giveUp }
        if let seconds = error.holdOff { return .retry(after: seconds) }
        let ceiling = min(Self.longestDelay, Double(1 << (failures - 1)))
        return .retry(after: ceiling * chance)
    }

    /// Tries after which it is given up for an error.
    package func tries(for error: StoreError) -> Int { mayPass(error) ? min(tries, Self.fewTries) : tries }

    /// A wait before the next try, for reports.
    package func wait(_ reason: StoreError, _ seconds: Double) -> RetryWait {
        RetryWait(reason: reason, seconds: seconds, attempt: failures + 1, tries: tries(for: reason))
    }

    /// Whether it is an error that an origin may have for a moment.
    private func mayPass(_ error: StoreError) -> Bool {
        switch error.code {
        case .status(404, _): retriesMissing
        case .transfer(let failure): failure.cause.isOfRedirects
        default: false
        }
    }
}

extension RetryPolicy {
    /// Repeats a small operation until it succeeds, or there is no hope.
    package static func retried<T: Sendable>(
        tries: Int, pause: RetryPause, _ work: () async throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        var policy = RetryPolicy(tries: tries)
        var last: StoreError?
        defer { if let last { pause.ended(last) } }
        while true {
            do throws(StoreError) {
                return try await work()
            } catch {
                let verdict = policy.failed(error, madeProgress: false, chance: .random(in: 0..<1))
                guard case .retry(let seconds) = verdict, seconds <= longestPause else { throw error }
                if let last, last.url != error.url { pause.ended(last) }
                last = error
                do { try await pause(policy.wait(error, seconds)) } catch {
                    throw StoreError(.stopped(.cancelled))
                }
            }
        }
    }

    /// The longest time in seconds that a waiting caller is kept waiting at once.
    static var longestPause: Double { 30 }
}

extension StoreError {
    /// The seconds of Retry-After, between a second and an hour.
    var holdOff: Double? {
        guard case .status(_, let seconds?) = code else { return nil }
        return Double(min(max(seconds, 1), 3600))
    }
}
