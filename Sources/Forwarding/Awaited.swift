internal import Locking

/// A value that is set once. Any number of tasks can wait for it.
final class Awaited<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, Never>])
        case known(Value)
    }

    private let state = Lock(State.open([]))

    /// Sets the value. Calls after the first one have no effect.
    func set(_ value: Value) {
        let waiters: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .open(let waiters) = state else { return [] }
            state = .known(value)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// The value. Reading it waits until the value is set.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let known: Value? = state.withLock { state in
                    switch state {
                    case .known(let value): return value
                    case .open(let waiters):
                        state = .open(waiters + [continuation])
                        return nil
                    }
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}
