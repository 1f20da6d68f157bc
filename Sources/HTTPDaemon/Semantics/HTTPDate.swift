internal import ASCII
internal import Glibc

/// A point in time as HTTP speaks of it, RFC 9110 §5.6.7: whole seconds, GMT.
public struct HTTPDate: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    public let seconds: Int64

    /// The date that many seconds after 1970.
    public init(seconds: Int64) { self.seconds = seconds }

    /// The present second of the system's clock.
    public static var now: HTTPDate { HTTPDate(seconds: Int64(time(nil))) }

    /// Orders by time.
    public static func < (lhs: HTTPDate, rhs: HTTPDate) -> Bool { lhs.seconds < rhs.seconds }

    /// An IMF-fixdate, for example `Sun, 06 Nov 1994 08:49:37 GMT`. Exact for the years 0 to 9999.
    public var fieldValue: String {
        let days = seconds.floorDivided(by: 86_400)
        let time = seconds - days * 86_400
        let date = CalendarDay(days: days)
        let weekday = Self.weekdays[Int(days + 4 - (days + 4).floorDivided(by: 7) * 7)]
        let clock = [time / 3600, time / 60 % 60, time % 60].map { $0.digits(2) }.joined(separator: ":")
        return "\(weekday.prefix(3)), \(date.day.digits(2)) \(Self.months[Int(date.month) - 1]) "
            + "\(date.year.digits(4)) \(clock) GMT"
    }

    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
