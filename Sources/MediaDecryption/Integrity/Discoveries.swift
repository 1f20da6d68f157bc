internal import Locking

/// Damage that a look at files has shown and that is not in the catalog yet.
///
/// Whichever path sees it first adds it: a listing, `status`, a player's request. The engine takes it into the catalog at
/// once; a process without an engine does so before it ends.
package final class Discoveries: Sendable {
    private struct State {
        var units: [AssetToken: Set<AbsentRow>] = [:]
        /// Assets of which a playlist is gone or cut off, and whether a player has asked for it.
        var playlists: [AssetToken: Bool] = [:]
        var listener: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    package init() {}

    /// Adds units of a complete asset. What is under way fetches again what it lacks.
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

    /// Adds that a playlist of a complete asset is gone or cut off.
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

    /// Takes the assets of which a playlist is gone or cut off, and whether a player has asked for it.
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

    /// The assets of which something was added and not taken yet.
    package var tokens: [AssetToken] { state.withLock { Array(Set($0.units.keys).union($0.playlists.keys)) } }

    /// Wakeups for whoever takes what is added, from now on.
    package func wakeups() -> AsyncStream<Void> {
        let (stream, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.listener = { waker.yield() } }
        waker.yield()
        return stream
    }
}
