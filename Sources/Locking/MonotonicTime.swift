internal import Glibc

/// A point on the monotonic clock, in nanoseconds.
public struct MonotonicTime: Comparable, Sendable {
    /// Nanoseconds since a point that the system chose.
    public let nanoseconds: Int64

    /// Later than any other.
    public static let never = MonotonicTime(nanoseconds: .max)

    /// The present moment.
    public static var now: MonotonicTime {
        var time = Glibc.timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Makes a time of that clock.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    var timespec: Glibc.timespec {
        Glibc.timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    }

    /// Orders by time.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// Adds without overflow: a time too far ahead is `never`.
    public static func + (lhs: Self, rhs: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = rhs.components
        guard seconds < 1 << 32 else { return .never }
        let sum = lhs.nanoseconds.addingReportingOverflow(
            seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        return sum.overflow ? .never : MonotonicTime(nanoseconds: sum.partialValue)
    }
}
