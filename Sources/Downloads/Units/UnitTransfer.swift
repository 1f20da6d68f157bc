/// Fetches one unit from its own address, otherwise from another address in the stream.
package struct UnitTransfer: Sendable {
    package let job: UnitJob
    package let file: PartialFile
    let failOver: FailOver
    package let pause: RetryPause
    /// Makes the fetch of a unit from one address with a number of tries; the last parameter tells whether it is the
    /// unit's own.
    package let fetch: @Sendable (UnitRecord, Int, Bool) -> SegmentFetch

    /// Fetches the unit until it is whole.
    ///
    /// - Throws: the error of the last request, or of the unit's own address if a retry there is useless.
    package func run() async throws(StoreError) -> FetchedUnit {
        let known = try await opened()
        guard await failOver.isPossible(job.rendition) else {
            return try await fetch(job.unit, RetryPolicy.usualTries, true).run(goingOnWith: known)
        }
        var failure: StoreError?
        if await !failOver.isDown(job.unit.url) {
            do throws(StoreError) {
                return try await fetch(job.unit, FailOver.tries, true).run(goingOnWith: known)
            } catch {
                guard error.mayBeElsewhere else { throw error }
                await failOver.failed(job.unit.url, error)
                failure = error
            }
        }
        var tried: Set<String> = [job.unit.url]
        while let other = await failOver.next(for: job, besides: tried) {
            if let fetched = try await fetched(from: other) { return fetched }
            tried.insert(other.url)
        }
        guard !Task.isCancelled else { throw StoreError(.stopped(.cancelled)) }
        // No other address has the unit, so its own address is tried with the usual number of tries.
        if let failure, !failure.isRetryable { throw failure }
        if file.watermark > 0, failure == nil { try file.restart() }
        return try await fetch(job.unit, RetryPolicy.usualTries, true).run()
    }

    /// Opens the file. If too many files are open, it tries again after a pause.
    private func opened() async throws(StoreError) -> Validator? {
        try await RetryPolicy.retried(tries: RetryPolicy.usualTries, pause: pause) {
            () async throws(StoreError) in try file.prepare()
        }
    }

    /// Fetches the unit from another address; `nil` if that fails. The file is emptied first, so that bytes of two
    /// addresses are never mixed.
    private func fetched(from place: UnitRecord) async throws(StoreError) -> FetchedUnit? {
        if file.watermark > 0 { try file.restart() }
        do throws(StoreError) {
            let fetched = try await fetch(place, FailOver.tries, false).run()
            await failOver.served(place.url)
            return fetched
        } catch {
            guard error.mayBeElsewhere else { throw error }
            await failOver.failed(place.url, error)
            return nil
        }
    }
}

extension StoreError {
    /// Whether another address may have the unit.
    fileprivate var mayBeElsewhere: Bool {
        switch errorClass {
        case .http, .auth, .network, .integrity: true
        default: false
        }
    }
}
