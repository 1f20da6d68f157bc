internal import Locking

/// The times and progress of plays. Kept in memory for some seconds: a player's request costs no write.
package final class PlayLog: Sendable {
    package struct Entry: Sendable {
        /// By the steady clock.
        package var seen: Double
        /// The end of the last requested segment, in seconds of the presentation.
        package var end: Double

        package init(seen: Double, end: Double) {
            self.seen = seen
            self.end = end
        }
    }

    private struct State {
        var fresh: [AssetToken: Entry] = [:]
        /// The assets that were played lately, written down or not.
        var seen: [AssetToken: Double] = [:]
    }

    private let state = Lock(State())
    private let owner: StoreOwnerLink
    /// Seconds after its last request that an asset counts as being played.
    package static let memory = 60.0

    /// - Parameter owner: is told when an asset is played after a while.
    package init(owner: StoreOwnerLink = StoreOwnerLink()) { self.owner = owner }

    /// A player asked for a segment.
    package func note(_ token: AssetToken, end: Double, now: Double) {
        let isFirst = state.withLock { state in
            let known = state.fresh[token]?.end ?? 0
            state.fresh[token] = Entry(seen: now, end: max(known, end))
            return state.seen.updateValue(now, forKey: token) == nil
        }
        if isFirst { owner.owner?.beginsPlaying(token) }
    }

    /// The time of an asset's last play, by the steady clock, unless it is written already.
    package func lastPlay(of token: AssetToken) -> Double? { state.withLock { $0.fresh[token]?.seen } }

    /// Assets that are being played.
    package func playing(now: Double) -> Set<AssetToken> {
        state.withLock { Set($0.seen.filter { now - $0.value < Self.memory }.keys) }
    }

    /// Takes the plays that are to be written down.
    package func take(now: Double) -> [AssetToken: Entry] {
        state.withLock { state in
            state.seen = state.seen.filter { now - $0.value < Self.memory }
            defer { state.fresh = [:] }
            return state.fresh
        }
    }
}
