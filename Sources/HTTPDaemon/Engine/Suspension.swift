internal import Locking

/// The rest of one exchange: pure bookkeeping, changed only under its connection's lock.
///
/// running → resting (`rest`) → running (`wake`, `abandon`) → … → ended (`end`)
struct Suspension {
    enum State: Equatable {
        case running
        case resting(until: MonotonicTime)
        case ended
    }

    private(set) var state = State.running
    /// Set once, when the exchange must not rest again.
    private(set) var isAbandoned = false
    /// A wake that came while running: the rest that follows would miss it.
    private var wasWoken = false

    /// A read begins: wakes that came before it are answered by it.
    mutating func willRead() { wasWoken = false }

    /// Whether to suspend the connection now: not after a wake since `willRead`, nor after `abandon`.
    mutating func rest(until deadline: MonotonicTime) -> Bool {
        guard state == .running, !wasWoken, !isAbandoned else { return false }
        state = .resting(until: deadline)
        return true
    }

    /// Whether to resume the connection now.
    mutating func wake() -> Bool {
        switch state {
        case .running:
            wasWoken = true
            return false
        case .resting:
            state = .running
            return true
        case .ended:
            return false
        }
    }

    /// Whether to resume the connection now; it is never suspended again.
    mutating func abandon() -> Bool {
        isAbandoned = true
        return wake()
    }

    mutating func end() { state = .ended }
}
