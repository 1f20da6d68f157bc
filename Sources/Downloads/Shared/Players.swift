internal import Locking

/// The needs of the players of all assets of a store, for the downloads to go by.
package final class Players: Sendable {
    private struct Run {
        var pressure = PlayerPressure.none
        var wake: @Sendable () -> Void
    }

    private struct State {
        var playheads: [AssetToken: Playheads] = [:]
        var runs: [AssetToken: Run] = [:]

        var pressure: PlayerPressure { runs.values.map(\.pressure).max() ?? .none }
    }

    private let state = Lock(State())

    /// The log of plays.
    package let log: PlayLog

    package init(log: PlayLog = PlayLog()) { self.log = log }

    /// Notes a player's request for a segment, which ends at `end` seconds of the presentation. It has no effect
    /// without a download of the asset.
    package func requested(_ key: UnitKey, end: Double) {
        guard key.unit.kind == .segment else { return }
        let now = SteadyClock.seconds
        log.note(key.token, end: end, now: now)
        state.withLock { state in
            guard state.runs[key.token] != nil || state.playheads[key.token] != nil else { return }
            state.playheads[key.token, default: Playheads()].requested(
                key.unit.rendition, key.unit.number, end: end, now: now)
        }
        wake(key.token)
    }

    /// A player waits for a unit until the hold is given up.
    ///
    /// - Parameter counts: whether it is played with that.
    package func hold(_ key: UnitKey, end: Double, counts: Bool) -> UnitHold {
        Trace.pass(.hold, key.traced)
        let now = SteadyClock.seconds
        if counts, key.unit.kind == .segment { log.note(key.token, end: end, now: now) }
        state.withLock { state in
            var playheads = state.playheads[key.token] ?? Playheads()
            playheads.hold(key.unit)
            if key.unit.kind == .segment {
                playheads.requested(key.unit.rendition, key.unit.number, end: end, now: now)
            }
            state.playheads[key.token] = playheads
        }
        wake(key.token)
        return UnitHold(key: key, players: self)
    }

    fileprivate func release(_ key: UnitKey) {
        let now = SteadyClock.seconds
        state.withLock { $0.playheads[key.token]?.release(key.unit, now: now) }
        wake(key.token)
    }

    private func wake(_ token: AssetToken) { state.withLock { $0.runs[token]?.wake }?() }

    /// Whether a running download of the asset serves players.
    package func isServed(_ token: AssetToken) -> Bool { state.withLock { $0.runs[token] != nil } }

    /// Registers a download of the asset: `wake` is called when players want other units.
    func attach(_ token: AssetToken, wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.runs[token] = Run(wake: wake) }
    }

    /// The download has ended.
    package func detach(_ token: AssetToken) {
        let wakes = state.withLock { state in
            state.runs[token] = nil
            return state.runs.values.map(\.wake)
        }
        for wake in wakes { wake() }
    }

    /// The units that an asset's players need, and how much of the line players of all assets need.
    package func wants(
        _ token: AssetToken, judge: (inout Playheads) -> PlayerWants
    ) -> (wants: PlayerWants, pressure: PlayerPressure) {
        let now = SteadyClock.seconds
        let (wants, pressure, wakes) = state.withLock { state in
            var playheads = state.playheads[token] ?? Playheads()
            playheads.expire(now: now)
            let wants = judge(&playheads)
            state.playheads[token] = playheads.isForgotten ? nil : playheads
            let before = state.pressure
            state.runs[token]?.pressure = wants.pressure
            let after = state.pressure
            let others = before == after ? [] : state.runs.filter { $0.key != token }.map(\.value.wake)
            return (wants, after, others)
        }
        for wake in wakes { wake() }
        return (wants, pressure)
    }
}

/// A player's wait for a unit, from its request to the end of its response.
package final class UnitHold: Sendable {
    private let key: UnitKey
    private let players: Players

    fileprivate init(key: UnitKey, players: Players) {
        self.key = key
        self.players = players
    }

    deinit { players.release(key) }
}
