/// Why work ended that did not fail.
public enum StopReason: String, Sendable, CaseIterable {
    /// Its task was cancelled: whoever began it does not want it any more, or it is to wait.
    case cancelled
    /// The machine has no way to the origin. The work goes on when there is one.
    case offline
    /// A player needed the line. The transfer goes on from where it was.
    case interrupted
    /// The store is closing, or closed.
    case closing
}

extension StoreError {
    /// Whether it is no failure: somebody ended the work.
    package var isStopped: Bool { if case .stopped = code { true } else { false } }
}
