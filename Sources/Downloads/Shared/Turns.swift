internal import Locking

/// Lets changes of the same asset follow one another.
package final class Turns: Sendable {
    private struct State {
        var busy: Set<AssetToken> = []
        var waiting: [AssetToken: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let state = Lock(State())

    /// Makes turns without a holder.
    package init() {}

    /// Returns when no other task holds the turn.
    package func take(_ token: AssetToken) async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.busy.insert(token).inserted { return true }
                state.waiting[token, default: []].append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Lets the next one go on.
    package func release(_ token: AssetToken) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard var waiting = state.waiting[token] else {
                state.busy.remove(token)
                return nil
            }
            let next = waiting.removeFirst()
            state.waiting[token] = waiting.isEmpty ? nil : waiting
            return next
        }
        next?.resume()
    }
}
