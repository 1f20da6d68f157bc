internal import Locking

/// Assets that are being copied from their folders again: nothing frees what is stored of them meanwhile, though they
/// are still cancelled. Whoever cancels one ends that.
final class ReturningAssets: Sendable {
    /// One asset's way back.
    struct Return: Sendable {
        let token: AssetToken
        fileprivate let number: Int
    }

    private enum Wish {
        /// It was complete, which can't be cancelled.
        case firm
        case wanted, cancelled, purged
    }

    private struct State {
        var wishes: [AssetToken: [Int: Wish]] = [:]
        var last = 0
    }

    private let state = Lock(State())

    var tokens: Set<AssetToken> { state.withLock { Set($0.wishes.keys) } }

    func contains(_ token: AssetToken) -> Bool { state.withLock { $0.wishes[token] != nil } }

    /// - Parameter origin: the state that it is brought back from.
    func begin(_ token: AssetToken, from origin: AssetState) -> Return {
        state.withLock { state in
            state.last += 1
            let number = state.last
            state.wishes[token, default: [:]][number] = origin == .complete ? .firm : .wanted
            return Return(token: token, number: number)
        }
    }

    func end(_ item: Return) {
        state.withLock { state in
            state.wishes[item.token]?[item.number] = nil
            if state.wishes[item.token]?.isEmpty == true { state.wishes[item.token] = nil }
        }
    }

    /// Notes that assets are cancelled, before the catalog has it: what is on its way back is not wanted any more.
    func cancel(_ tokens: [AssetToken], purge: Bool) {
        state.withLock { state in
            for token in tokens {
                for (number, wish) in state.wishes[token] ?? [:] where wish != .firm && wish != .purged {
                    state.wishes[token]?[number] = purge ? .purged : .cancelled
                }
            }
        }
    }

    /// Whether it was not cancelled meanwhile.
    func isWanted(_ item: Return) -> Bool {
        switch wish(item) {
        case .firm, .wanted: true
        case .cancelled, .purged, nil: false
        }
    }

    /// Whether its stored media were to be freed, too.
    func isPurged(_ item: Return) -> Bool { wish(item) == .purged }

    private func wish(_ item: Return) -> Wish? { state.withLock { $0.wishes[item.token]?[item.number] } }
}
