internal import Locking

/// The latest known time, and the time that has passed since. A value; the clocks' times are passed in.
package struct HighWater: Sendable {
    package private(set) var mark: Timestamp
    private var uptime: Int64

    /// - Parameter uptime: milliseconds of a monotonic clock that runs while the machine sleeps.
    package init(mark: Timestamp, uptime: Int64) {
        self.mark = mark
        self.uptime = uptime
    }

    /// The present time: that of the system's clock, but never before the mark, which advances by itself.
    package mutating func moment(wall: Timestamp, uptime now: Int64) -> Moment {
        let passed = Timestamp(milliseconds: mark.milliseconds + max(0, now - uptime))
        mark = max(wall, passed)
        uptime = now
        return Moment(wall: wall, trusted: mark)
    }
}

/// The clock that licenses go by: setting the system's back never gives time again. The mark is in the catalog,
/// so that neither a restart nor a reboot forgets it.
package final class TrustedClock: Sendable {
    private struct State {
        var highWater: HighWater
        /// The time in the catalog.
        var stored: Timestamp
    }

    private let state: Lock<State>
    private let catalog: Catalog
    private let clock: any WallClock

    package init(_ catalog: Catalog, _ clock: any WallClock) throws(StoreError) {
        let stored = try catalog.licenses.highWater() ?? Timestamp(milliseconds: .min / 2)
        self.catalog = catalog
        self.clock = clock
        let highWater = HighWater(mark: stored, uptime: clock.uptime)
        state = Lock(State(highWater: highWater, stored: stored))
    }

    package var now: Moment {
        let (wall, uptime) = (clock.now, clock.uptime)
        return state.withLock { $0.highWater.moment(wall: wall, uptime: uptime) }
    }

    /// How far the catalog's mark is behind, in milliseconds.
    var lag: Int64 {
        let now = now.trusted
        return state.withLock { now.milliseconds - $0.stored.milliseconds }
    }

    /// Whether the catalog's mark is at `moment` or after it.
    func hasReached(_ moment: Timestamp) -> Bool { state.withLock { $0.stored >= moment } }

    /// Writes the mark.
    package func store() throws(StoreError) { try reach(now.trusted) }

    /// Moves the catalog's mark to `moment` at least. A refusal because of an expired license is then final, whatever
    /// happens to this process and to the clock.
    package func reach(_ moment: Timestamp) throws(StoreError) {
        guard state.withLock({ $0.stored < moment }) else { return }
        let mark = max(now.trusted, moment)
        try catalog.licenses.setHighWater(mark)
        state.withLock { $0.stored = max($0.stored, mark) }
    }

    /// Starts again from the system's clock, because a provider has just given a license, which counts from now on.
    /// For all other licenses the known time stays.
    package func confirm() throws(StoreError) -> Timestamp {
        let moment = now
        guard moment.isBehind else { return moment.trusted }
        try catalog.licenses.restartClock(at: moment.wall, floor: moment.trusted)
        let uptime = clock.uptime
        state.withLock {
            $0 = State(highWater: HighWater(mark: moment.wall, uptime: uptime), stored: moment.wall)
        }
        return moment.wall
    }
}
