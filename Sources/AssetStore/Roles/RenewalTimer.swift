internal import Locking

/// Wakes up when keys are to be renewed, and not before.
final class RenewalTimer: Sendable {
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
                // From here on a new schedule does not end it.
                Task(executorPreference: WorkThreads.housekeeping) { await action() }
            }
        }
    }

    /// Runs no scheduled action for so many seconds from now.
    func rest(for seconds: Double) { state.withLock { $0.restsUntil = SteadyClock.seconds + seconds } }

    /// Seconds for which it still rests, or 0.
    var rest: Double { max(0, state.withLock { $0.restsUntil } - SteadyClock.seconds) }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.sleeper?.cancel()
        }
    }
}
