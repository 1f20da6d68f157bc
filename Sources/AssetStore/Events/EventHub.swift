internal import Locking

/// Wakes those who follow a store. What has happened they read from the event log themselves, from where they
/// were: a signal that is lost, or comes twice, costs nothing.
final class EventHub: Sendable {
    private struct State {
        var followers: [Int: AsyncStream<[AssetProgress]>.Continuation] = [:]
        var next = 0
        var isFinished = false
    }

    private let state = Lock(State())

    /// Whether nobody follows.
    var isEmpty: Bool { state.withLock { $0.followers.isEmpty } }

    /// Signals from now on, with progress where there is some.
    func follow() -> AsyncStream<[AssetProgress]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number: Int? = state.withLock { state in
                guard !state.isFinished else { return nil }
                state.next += 1
                state.followers[state.next] = continuation
                return state.next
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [self] _ in
                _ = state.withLock { $0.followers.removeValue(forKey: number) }
            }
        }
    }

    /// Wakes all who follow.
    func signal(_ progress: [AssetProgress] = []) {
        for follower in state.withLock({ Array($0.followers.values) }) { follower.yield(progress) }
    }

    /// Ends what all follow.
    func finish() {
        let followers = state.withLock { state in
            state.isFinished = true
            return Array(state.followers.values)
        }
        for follower in followers { follower.finish() }
    }
}
