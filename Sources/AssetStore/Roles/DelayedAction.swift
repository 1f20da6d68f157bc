internal import Locking

/// Runs one scheduled action after a delay.
final class DelayedAction: Sendable {
    private struct State {
        var sleeper: Task<Void, Never>?
        var isStopped = false
        /// The time of `SteadyClock` in seconds before which no action runs.
        var restsUntil = 0.0
    }

    private let state = Lock(State())

    /// Runs `action` after so many seconds, instead of the action that was scheduled before.
    func schedule(in seconds: Double, _ action: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.sleeper?.cancel()
            guard !state.isStopped else { return }
            let pause = max(seconds, state.restsUntil - SteadyClock.seconds)
            state.sleeper = Task {
                guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
                // The action runs in a task of its own, so that a new schedule does not cancel it.
                Task(executorPreference: WorkThreads.housekeeping) { await action() }
            }
        }
    }

    /// Delays the actions that are scheduled after this call: none runs before `seconds` have passed.
    func rest(for seconds: Double) { state.withLock { $0.restsUntil = SteadyClock.seconds + seconds } }

    /// Seconds until a scheduled action may run; 0 if it may run now.
    var rest: Double { max(0, state.withLock { $0.restsUntil } - SteadyClock.seconds) }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.sleeper?.cancel()
        }
    }
}
