import Locking

/// Controls a transfer from outside: it can be paused, resumed and made urgent, before it begins and while it runs.
/// One control serves one transfer after the other, such as the tries of one download.
public final class TransferControl: Sendable {
    private struct State: Sendable {
        var isPaused = false
        var isUrgent = false
        var transfer: Transfer?
        var mailbox: LoopMailbox?
    }

    private let state = Lock(State())

    /// Makes a control that has no transfer yet.
    public init() {}

    /// Whether reading from the connection is paused, so that the origin stops sending when the buffers on the way
    /// are full. A paused transfer never counts as stalled.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set { change { $0.isPaused = newValue } }
    }

    /// Whether a player waits for it: it begins regardless of the limits, and no rate limit applies to it.
    public var isUrgent: Bool {
        get { state.withLock { $0.isUrgent } }
        set { change { $0.isUrgent = newValue } }
    }

    /// Ends the transfer as `cancelled`, without its task being cancelled.
    public func interrupt() {
        let (transfer, mailbox) = state.withLock { ($0.transfer, $0.mailbox) }
        if let transfer { _ = mailbox?.post(.cancel(transfer)) }
    }

    private func change(_ body: (inout State) -> Void) {
        let (transfer, mailbox) = state.withLock { state in
            let before = (state.isPaused, state.isUrgent)
            body(&state)
            let isSame = before == (state.isPaused, state.isUrgent)
            return isSame ? (nil, nil) : (state.transfer, state.mailbox)
        }
        if let transfer { _ = mailbox?.post(.adjust(transfer)) }
    }

    /// From now on it is about `transfer`.
    func take(_ transfer: Transfer, of mailbox: LoopMailbox) {
        state.withLock { ($0.transfer, $0.mailbox) = (transfer, mailbox) }
    }

    /// `transfer` has ended.
    func drop(_ transfer: Transfer) {
        state.withLock { if $0.transfer === transfer { $0.transfer = nil } }
    }
}
