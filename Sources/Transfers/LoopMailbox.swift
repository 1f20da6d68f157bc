import Locking

/// The commands of other threads for a loop. A post wakes the loop once, however many commands wait. After `close` no
/// command is accepted, so that none is lost without an answer and no handle is woken after its end.
final class LoopMailbox: Sendable {
    enum Command: Sendable {
        case add(Transfer)
        case cancel(Transfer)
        case adjust(Transfer)
        case setRateLimits(RateLimits)
        case setRefusedLocalPorts(Set<UInt16>)
        case setTransfersPerHost(Int)
        case stop
    }

    private struct State: Sendable {
        var commands: [Command] = []
        var isClosed = false
    }

    private let state = Lock(State())
    private let multi: MultiHandle

    init(waking multi: MultiHandle) { self.multi = multi }

    /// Hands a command over; false when the loop has ended.
    func post(_ command: Command) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            if state.commands.count == 1 { multi.wake() }
            return true
        }
    }

    /// Takes the waiting commands.
    func drain() -> [Command] {
        state.withLock { state in
            guard !state.commands.isEmpty else { return [] }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Takes the last commands; later ones are refused.
    func close() -> [Command] {
        state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.commands
        }
    }
}
