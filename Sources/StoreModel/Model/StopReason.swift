/// Why work ended that did not fail.
public enum StopReason: String, Sendable, CaseIterable {
    /// The task was cancelled: its caller no longer needs it, or the download is to wait.
    case cancelled
    /// The machine has no network connection to the origin. The work continues when there is one.
    case offline
    /// A player needed the line. The transfer resumes later.
    case interrupted
    /// The store is closing, or closed.
    case closing
}

extension StoreError {
    /// Whether the work was ended on purpose, so that this is not a failure.
    package var isStopped: Bool { if case .stopped = code { true } else { false } }
}
