internal import Locking

/// Renditions that an asset can do without, and that their origin could not give for the moment: each is tried once
/// more, a while later, before it is given up.
package final class Outages: Sendable {
    private struct State {
        var renditions: [AssetToken: Set<String>] = [:]
        var units: [AssetToken: Set<UnitID>] = [:]
        var wanted: Set<AssetToken> = []
    }

    private let state = Lock(State())

    /// Whether a unit is worth waiting for: each unit once, and a rendition once until one of its units arrives.
    func mayPass(_ token: AssetToken, _ unit: UnitID) -> Bool {
        state.withLock { state in
            let hasWaited = state.renditions[token]?.contains(unit.rendition) == true
            return !hasWaited && state.units[token]?.contains(unit) != true
        }
    }

    /// Has units waited for: the run then ends for the moment with the reason.
    package func wait(_ token: AssetToken, for units: [UnitID]) {
        state.withLock { state in
            state.renditions[token, default: []].formUnion(units.map(\.rendition))
            state.units[token, default: []].formUnion(units)
            state.wanted.insert(token)
        }
    }

    /// Something of a rendition came.
    package func unitCame(_ token: AssetToken, _ rendition: String) {
        state.withLock { _ = $0.renditions[token]?.remove(rendition) }
    }

    /// Whether an asset is to wait; the caller lets it wait from now on.
    package func take(_ token: AssetToken) -> Bool { state.withLock { $0.wanted.remove(token) != nil } }

    /// Forgets an asset whose work has ended, or which the user has started again.
    package func forget(_ token: AssetToken) {
        state.withLock { state in
            (state.renditions[token], state.units[token]) = (nil, nil)
            state.wanted.remove(token)
        }
    }
}
