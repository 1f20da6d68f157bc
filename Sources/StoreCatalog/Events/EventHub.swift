internal import Locking

/// Wakes the followers of a store. They read the events from the log themselves, from their positions: a signal that
/// is lost or repeated does no harm. The same holds for changes of activity, of which the hub keeps the last ones.
package final class EventHub: Sendable {
    /// A download began to retry or to wait, still does, or has recovered.
    package struct ActivityChange: Sendable {
        package var number: Int
        package var token: AssetToken
        package var activity: AssetActivity?
    }

    private struct State {
        var activities: [ActivityChange] = []
        var lastActivity = 0
        var followers: [Int: AsyncStream<[AssetProgress]>.Continuation] = [:]
        var next = 0
        var isFinished = false
    }

    private let state = Lock(State())

    /// Whether there is no follower.
    package var isEmpty: Bool { state.withLock { $0.followers.isEmpty } }

    /// Signals from now on, with progress where there is some.
    package func follow() -> AsyncStream<[AssetProgress]> {
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

    /// The number of activity changes that are kept for slow followers.
    private static let keptActivities = 1024

    /// The number of the last change of activity; 0 before the first one.
    var lastActivity: Int { state.withLock(\.lastActivity) }

    /// The changes of activity after another one.
    package func activities(after number: Int) -> [ActivityChange] {
        state.withLock { state in state.activities.filter { $0.number > number } }
    }

    /// Adds changes of activity; the caller then wakes the followers.
    package func add(_ changes: [(token: AssetToken, activity: AssetActivity?)]) {
        state.withLock { state in
            for change in changes {
                state.lastActivity += 1
                state.activities.append(
                    ActivityChange(
                        number: state.lastActivity, token: change.token, activity: change.activity))
            }
            state.activities.removeFirst(max(0, state.activities.count - Self.keptActivities))
        }
    }

    /// Wakes all followers.
    package func signal(_ progress: [AssetProgress] = []) {
        for follower in state.withLock({ Array($0.followers.values) }) { follower.yield(progress) }
    }

    /// Ends all followers' sequences.
    package func finish() {
        let followers = state.withLock { state in
            state.isFinished = true
            return Array(state.followers.values)
        }
        for follower in followers { follower.finish() }
    }
}
