internal import Locking

/// The observers that are called when the served files of assets may have changed.
final class ChangeObservers: Sendable {
    private struct State {
        var observers: [Int: @Sendable (Set<AssetToken>) -> Void] = [:]
        var last = 0
    }

    private let state = Lock(State())

    /// Adds an observer. The result is a number with which `remove` removes it.
    func add(_ observer: @escaping @Sendable (Set<AssetToken>) -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.observers[state.last] = observer
            return state.last
        }
    }

    func remove(_ number: Int) { state.withLock { $0.observers[number] = nil } }

    func tell(_ tokens: Set<AssetToken>) {
        for observer in state.withLock({ Array($0.observers.values) }) { observer(tokens) }
    }
}
