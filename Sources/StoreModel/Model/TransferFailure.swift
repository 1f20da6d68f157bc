package import Transfers

/// Why a transfer failed before its answer was complete: no connection, no name, a certificate, an answer that is too long.
public struct TransferFailure: Sendable, CustomStringConvertible {
    /// The transfer's own error.
    package let cause: TransferError

    package init(_ cause: TransferError) { self.cause = cause }

    /// The failure in one sentence.
    public var description: String { cause.sentence }

    /// Whether the same transfer may succeed later.
    public var isRetryable: Bool { cause.isRetryable }
}
