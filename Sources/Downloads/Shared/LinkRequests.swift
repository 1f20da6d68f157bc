internal import Locking

/// Decides for which refusals of optional units a fresh address is asked for. In a recording: for each playlist until
/// it can be read again, for each unit once.
package final class LinkRequests: Sendable {
    /// The thing that was refused.
    package enum Refused: Hashable, Sendable {
        /// The playlist of a rendition.
        case playlist(String)
        case unit(UnitID)
        /// Units of a rendition.
        case rendition(String)
    }

    private struct State {
        var asked: [AssetToken: Set<Refused>] = [:]
        var wanted: Set<AssetToken> = []
        var resolver: ExternalService?
    }

    private let state: Lock<State>

    package init(resolver: ExternalService? = nil) { state = Lock(State(resolver: resolver)) }

    /// The link resolver; `nil` without one.
    package var resolver: ExternalService? {
        get { state.withLock(\.resolver) }
        set { state.withLock { $0.resolver = newValue } }
    }

    /// Asks for a fresh address, unless that was done for the same.
    ///
    /// - Returns: whether it is to be waited for: the recording then ends for the moment with the refusal.
    package func ask(_ token: AssetToken, for refused: Refused) -> Bool {
        state.withLock { state in
            guard state.resolver != nil, state.asked[token, default: []].insert(refused).inserted else {
                return false
            }
            state.wanted.insert(token)
            return true
        }
    }

    /// Whether a fresh address may bring a unit of an optional rendition: for each unit once, and for a rendition
    /// once until one of its units arrives.
    func mayHelp(_ token: AssetToken, _ unit: UnitID) -> Bool {
        state.withLock { state in
            let asked = state.asked[token, default: []]
            return !asked.contains(.unit(unit)) && !asked.contains(.rendition(unit.rendition))
        }
    }

    /// Whether a fresh address was asked for because of a rendition of which no unit has arrived since.
    func isRefused(_ token: AssetToken, _ rendition: String) -> Bool {
        state.withLock { $0.asked[token]?.contains(.rendition(rendition)) == true }
    }

    /// Asks for a fresh address for such units, also without a link resolver, if only the playlists may have one.
    package func ask(_ token: AssetToken, forOptional units: [UnitID]) {
        state.withLock { state in
            for unit in units {
                state.asked[token, default: []].insert(.unit(unit))
                state.asked[token, default: []].insert(.rendition(unit.rendition))
            }
            state.wanted.insert(token)
        }
    }

    /// A unit of a rendition came.
    package func unitCame(_ token: AssetToken, _ rendition: String) {
        state.withLock { _ = $0.asked[token]?.remove(.rendition(rendition)) }
    }

    /// Notes that a playlist was read: a later refusal is a new one.
    package func came(_ token: AssetToken, _ rendition: String) {
        state.withLock { _ = $0.asked[token]?.remove(.playlist(rendition)) }
    }

    /// Whether a fresh address was asked for; the caller asks the resolver from now on.
    package func take(_ token: AssetToken) -> Bool { state.withLock { $0.wanted.remove(token) != nil } }

    /// A fresh address that was asked for is still to be looked for.
    package func putBack(_ token: AssetToken) { state.withLock { _ = $0.wanted.insert(token) } }

    /// Forgets an asset whose work has ended.
    package func forget(_ token: AssetToken) {
        state.withLock { state in
            state.asked[token] = nil
            state.wanted.remove(token)
        }
    }
}
