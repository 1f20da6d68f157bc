internal import Locking

/// This node's ownership of the store. It ends by itself if the database has not renewed the lease for 7 seconds.
package final class StoreOwnership: WallClock {
    private struct State {
        var fence: StoreFence
        /// The time of the database, and the local time at which it was read.
        var time: Timestamp
        var at: Int64
    }

    package let owner: OwningNode
    private let state: Lock<State>
    private static let clock = SystemWallClock()

    /// - Parameters:
    ///   - owner: this node.
    ///   - asked: the uptime, in milliseconds, just before the node asked the database for the store.
    ///   - time: the database's time in its answer.
    package init(_ owner: OwningNode, asked: Int64, time: Timestamp) {
        self.owner = owner
        state = Lock(State(fence: StoreFence(asked: asked), time: time, at: asked))
    }

    /// Whether the node may act as the owner.
    package var isHeld: Bool {
        let now = Self.clock.uptime
        return state.withLock { $0.fence.isOpen(at: now) }
    }

    /// Milliseconds until the ownership ends, if it is not renewed.
    package var rest: Int64 {
        let now = Self.clock.uptime
        return state.withLock { $0.fence.end - now }
    }

    /// Takes note of a renewal that was granted.
    package func renewed(asked: Int64, time: Timestamp) {
        state.withLock { state in
            state.fence.renewed(asked: asked)
            (state.time, state.at) = (time, asked)
        }
    }

    /// The time of the database, so that licenses do not depend on the clock of the node that serves.
    package var now: Timestamp {
        let uptime = Self.clock.uptime
        return state.withLock { state in
            Timestamp(milliseconds: state.time.milliseconds + uptime - state.at)
        }
    }

    package var uptime: Int64 { Self.clock.uptime }
}
