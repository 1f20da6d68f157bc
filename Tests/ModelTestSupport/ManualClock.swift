import Locking
package import StoreModel

/// A clock that tests set. Both of its hands move together, unless it is set like a clock on the wall.
package final class ManualClock: WallClock {
    private let hands: Lock<(wall: Int64, uptime: Int64)>

    package init(_ seconds: Int64 = 1_700_000_000) { hands = Lock((seconds * 1000, 5000)) }

    package var now: Timestamp { Timestamp(milliseconds: hands.withLock { $0.wall }) }
    package var uptime: Int64 { hands.withLock { $0.uptime } }

    /// Lets time pass.
    package func pass(_ milliseconds: Int64) {
        hands.withLock { $0 = ($0.wall + milliseconds, $0.uptime + milliseconds) }
    }

    /// Sets the clock on the wall.
    package func set(back milliseconds: Int64) { hands.withLock { $0.wall -= milliseconds } }

    /// Starts the machine again: what nobody sets begins anew.
    package func reboot() { hands.withLock { $0.uptime = 0 } }
}

extension Int64 {
    /// Milliseconds.
    package static func days(_ count: Int64) -> Int64 { count * 86_400_000 }
    /// Milliseconds.
    package static func seconds(_ count: Int64) -> Int64 { count * 1000 }
}
