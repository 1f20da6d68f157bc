/// A try that failed and will be made again.
package struct RetryWait: Sendable {
    /// The error that caused the wait.
    package var reason: StoreError
    /// Seconds until it is tried again.
    package var seconds: Double
    /// The number of the next try.
    package var attempt: Int
    /// The number of tries after which it is given up.
    package var tries: Int
    /// The asset in the catalog that it concerns; `nil` if there is none yet.
    package var asset: AssetToken?

    /// A wait of so many seconds.
    package init(
        reason: StoreError, seconds: Double, attempt: Int = 2, tries: Int = 8,
        asset: AssetToken? = nil
    ) {
        (self.reason, self.seconds, self.attempt) = (reason, seconds, attempt)
        (self.tries, self.asset) = (tries, asset)
    }
}

/// The wait before a retry, and the callback for its end.
package struct RetryPause: Sendable {
    /// Waits.
    package var wait: @Sendable (RetryWait) async throws -> Void
    /// Is called when the failed work has succeeded, or is given up.
    package var ended: @Sendable (StoreError) -> Void = { _ in }

    /// A pause without reports.
    package static let usual = RetryPause { try await Task.sleep(for: .seconds($0.seconds)) }

    /// - Parameter wait: waits.
    package init(_ wait: @escaping @Sendable (RetryWait) async throws -> Void) { self.wait = wait }

    package func callAsFunction(_ wait: RetryWait) async throws { try await self.wait(wait) }
}
