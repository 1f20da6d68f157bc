internal import Locking

/// Admits callers until it is shut; shutting waits for the callers inside.
///
/// GRDB's pool does not do this: a read that begins while the pool is being closed uses a freed connection, and the
/// process dies in SQLite.
package final class AccessGate: Sendable {
    private struct State {
        var inside = 0
        var isShut = false
    }

    private let state = Lock(State())
    private let emptied = Condition()

    /// Runs `body` inside; throws `stopped` when the gate is shut.
    package func pass<T>(_ body: () throws -> T) throws -> T {
        guard enter() else { throw StoreError(.stopped(.closing)) }
        defer { leave() }
        return try body()
    }

    /// Refuses callers from now on, and waits until those inside have left.
    func shut() {
        state.withLock { $0.isShut = true }
        state.wait(on: emptied) { $0.inside == 0 ? nil : .never }
    }

    private func enter() -> Bool {
        state.withLock { state in
            state.inside += state.isShut ? 0 : 1
            return !state.isShut
        }
    }

    private func leave() {
        let isLast = state.withLock { state in
            state.inside -= 1
            return state.isShut && state.inside == 0
        }
        if isLast { emptied.signal() }
    }
}
