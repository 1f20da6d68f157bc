internal import Locking

/// Assets whose files are being copied from their folders again. Their state is still `cancelled`, but their media
/// are not deleted during the copy. Cancelling one ends the copy.
final class ReturningAssets: Sendable {
    /// The copy of one asset.
    struct Return: Sendable {
        let token: AssetToken
        fileprivate let number: Int
    }

    private enum Wish {
        /// The asset was complete. Its copy can't be cancelled.
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

    /// - Parameter origin: the state of the asset before the copy. The copy of a complete asset can't be cancelled.
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

    /// Notes that assets are being cancelled, so that their copies end. It is called before the catalog has the new
    /// state.
    func cancel(_ tokens: [AssetToken], purge: Bool) {
        state.withLock { state in
            for token in tokens {
                for (number, wish) in state.wishes[token] ?? [:] where wish != .firm && wish != .purged {
                    state.wishes[token]?[number] = purge ? .purged : .cancelled
                }
            }
        }
    }

    /// Whether the asset was not cancelled during the copy.
    func isWanted(_ item: Return) -> Bool {
        switch wish(item) {
        case .firm, .wanted: true
        case .cancelled, .purged, nil: false
        }
    }

    /// Whether its media are to be deleted, too.
    func isPurged(_ item: Return) -> Bool { wish(item) == .purged }

    private func wish(_ item: Return) -> Wish? { state.withLock { $0.wishes[item.token]?[item.number] } }
}
