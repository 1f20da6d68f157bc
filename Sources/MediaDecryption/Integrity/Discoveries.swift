internal import Locking

/// Damage that checks of files have found and that the catalog does not have yet.
///
/// A listing, `status` or a player's request adds the damage that it finds. The engine writes it to the catalog at
/// once; a process without an engine does so before it ends.
package final class Discoveries: Sendable {
    private struct State {
        var units: [AssetToken: Set<AbsentRow>] = [:]
        /// Assets with a missing or truncated playlist, and whether a player has asked for it.
        var playlists: [AssetToken: Bool] = [:]
        var listener: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    package init() {}

    /// Adds units of a complete asset. A running download fetches missing units anyway.
    package func add(_ units: [AbsentRow], of record: AssetRecord) {
        guard record.state == .complete else { return }
        add(units, of: record.token)
    }

    package func add(_ units: [AbsentRow], of token: AssetToken) {
        guard !units.isEmpty else { return }
        let listener = state.withLock { state in
            state.units[token, default: []].formUnion(units)
            return state.listener
        }
        listener?()
    }

    /// Adds a complete asset with a missing or truncated playlist.
    ///
    /// - Parameter isPlayed: whether a player has asked for it, so that it is to be made again at once.
    package func addPlaylists(of record: AssetRecord, isPlayed: Bool) {
        guard record.state == .complete else { return }
        let listener = state.withLock { state in
            state.playlists[record.token, default: false] = isPlayed || state.playlists[record.token] == true
            return state.listener
        }
        listener?()
    }

    /// Takes the assets with a missing or truncated playlist, and whether a player has asked for it.
    package func takePlaylists() -> [AssetToken: Bool] {
        state.withLock { state in
            defer { state.playlists = [:] }
            return state.playlists
        }
    }

    /// Takes all units that were added.
    package func take() -> [AssetToken: Set<AbsentRow>] {
        state.withLock { state in
            defer { state.units = [:] }
            return state.units
        }
    }

    /// The assets with additions that were not taken yet.
    package var tokens: [AssetToken] { state.withLock { Array(Set($0.units.keys).union($0.playlists.keys)) } }

    /// A stream with one element at once, and one after additions. Several additions may give one element.
    package func wakeups() -> AsyncStream<Void> {
        let (stream, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.listener = { waker.yield() } }
        waker.yield()
        return stream
    }
}
