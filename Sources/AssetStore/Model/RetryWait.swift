/// A try that failed and will be made again.
public struct RetryWait: Sendable {
    /// What happened.
    public var reason: StoreError
    /// Seconds until it is tried again.
    public var seconds: Double

    /// A wait of so many seconds.
    public init(reason: StoreError, seconds: Double) {
        self.reason = reason
        self.seconds = seconds
    }
}

/// Waits until something is tried again.
typealias RetryPause = @Sendable (RetryWait) async throws -> Void
