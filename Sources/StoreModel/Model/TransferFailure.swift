package import Transfers

/// The reason for which a transfer failed before its answer was complete: connection, name resolution, certificate,
/// an answer that is too long.
public struct TransferFailure: Sendable, CustomStringConvertible {
    /// The transfer's own error.
    package let cause: TransferError

    package init(_ cause: TransferError) { self.cause = cause }

    /// The failure in one sentence.
    public var description: String { cause.sentence }

    /// Whether the same transfer may succeed later.
    public var isRetryable: Bool { cause.isRetryable }
}
