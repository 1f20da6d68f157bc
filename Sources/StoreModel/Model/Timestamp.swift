internal import ASCII
internal import FoundationEssentials
internal import Locking

/// A moment as whole milliseconds of UTC since 1970-01-01; no locale, no calendar.
public struct Timestamp: Hashable, Sendable, Comparable, Codable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64

    /// A moment from milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The end of the year 9999.
    package static let latest = Timestamp(milliseconds: 253_402_300_799_999)

    /// RFC 3339 in UTC, to the millisecond: `2026-01-31T08:00:00.000Z`.
    public var rfc3339: String {
        let seconds = milliseconds.floorDivided(by: 1000)
        let days = seconds.floorDivided(by: 86_400)
        let (date, time) = (CalendarDay(days: days), seconds - days * 86_400)
        let clock = "\((time / 3600).digits(2)):\((time / 60 % 60).digits(2)):\((time % 60).digits(2))"
        return "\(date.year.digits(4))-\(date.month.digits(2))-\(date.day.digits(2))T\(clock)"
            + ".\((milliseconds - seconds * 1000).digits(3))Z"
    }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}

/// The source of the time; replaced in tests.
package protocol WallClock: Sendable {
    /// The present moment.
    var now: Timestamp { get }
    /// Milliseconds of a monotonic clock, which nobody can set, and which runs while the machine sleeps.
    var uptime: Int64 { get }
}

extension WallClock {
    /// The time since the machine was started.
    package var uptime: Int64 { Int64(SteadyClock.seconds * 1000) }
}

/// The system's clock.
package struct SystemWallClock: WallClock {
    /// The system's clock.
    package init() {}

    /// The present time of the system's clock.
    package var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}

/// The present time, by the system's clock and by the trusted clock.
package struct Moment: Sendable, Equatable {
    package var wall: Timestamp
    /// The trusted time, which is never before an earlier one.
    package var trusted: Timestamp

    package init(wall: Timestamp, trusted: Timestamp) {
        self.wall = wall
        self.trusted = trusted
    }

    /// A difference that clocks have by themselves, in milliseconds.
    package static let tolerance: Int64 = 300_000

    /// Whether the system's clock was set back behind a time that was seen before.
    package var isBehind: Bool { wall.milliseconds + Self.tolerance < trusted.milliseconds }
}
