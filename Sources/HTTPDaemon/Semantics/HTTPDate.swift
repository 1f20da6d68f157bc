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
        let (year, month, day) = Self.civil(fromDays: days)
        let weekday = Self.weekdays[Int(days + 4 - (days + 4).floorDivided(by: 7) * 7)]
        let clock = [time / 3600, time / 60 % 60, time % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(weekday.prefix(3)), \(Self.padded(day, 2)) \(Self.months[Int(month) - 1]) "
            + "\(Self.padded(year, 4)) \(clock) GMT"
    }

    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

// The proleptic Gregorian calendar, counted in years that start in March, so that the leap day comes last.
extension HTTPDate {
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.floorDivided(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        (self >= 0 ? self : self - divisor + 1) / divisor
    }
}
