internal import Locking

/// Finds clients that are too slow to send a request: pure bookkeeping, checked about once a second.
///
/// libmicrohttpd's own time-out restarts with every byte, so a byte now and then would hold a connection for ever.
/// Here the time for a whole header section, or for the whole content, is limited.
struct HeadWatch {
    private enum Phase {
        /// No request; `bytes` had been received when it was last looked at, `nil` if not yet.
        case between(bytes: UInt64?)
        /// A header section since then.
        case head(since: MonotonicTime)
        /// A content, since it was first looked at.
        case body(since: MonotonicTime?)
        /// A request is being answered.
        case answering
    }

    enum Verdict: Equatable {
        case fine
        case silent
        case tooSlow
    }

    private var phase: Phase {
        didSet { hasPeerClosed = false }
    }
    /// Whether the client had closed its side at the last check in this phase.
    private var hasPeerClosed = false

    init(acceptedAt now: MonotonicTime) { phase = .head(since: now) }

    var isAnswering: Bool {
        if case .answering = phase { true } else { false }
    }

    mutating func headEnded() { phase = .body(since: nil) }

    mutating func bodyEnded() { phase = .answering }

    mutating func requestEnded() { phase = .between(bytes: nil) }

    /// Checks one connection. `bytesReceived` counts the bytes of the socket so far. A client that has closed its
    /// side sends nothing more: unless its bytes are being read just now, its connection is closed. libmicrohttpd may
    /// not notice.
    mutating func check(
        at now: MonotonicTime, bytesReceived: UInt64, isPeerClosed: Bool = false, headTimeout: Duration,
        bodyTimeout: Duration
    ) -> Verdict {
        if isAnswering { return .fine }
        if isPeerClosed, hasPeerClosed { return .silent }
        defer { hasPeerClosed = isPeerClosed }
        return checkTime(
            at: now, bytesReceived: bytesReceived, headTimeout: headTimeout, bodyTimeout: bodyTimeout)
    }

    private mutating func checkTime(
        at now: MonotonicTime, bytesReceived: UInt64, headTimeout: Duration, bodyTimeout: Duration
    ) -> Verdict {
        switch phase {
        case .answering, .between(bytes: bytesReceived):
            return .fine
        case .between(.none):
            phase = .between(bytes: bytesReceived)
            return .fine
        case .between:
            phase = .head(since: now)
            return .fine
        case .body(.none):
            phase = .body(since: now)
            return .fine
        case .body(let since?):
            return now >= since + bodyTimeout ? .tooSlow : .fine
        case .head(let since):
            guard now >= since + headTimeout else { return .fine }
            return bytesReceived == 0 ? .silent : .tooSlow
        }
    }
}
