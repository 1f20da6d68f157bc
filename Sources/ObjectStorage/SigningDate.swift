internal import Glibc

/// A UTC time in the form of a signature: `20150830T123600Z`.
struct SigningDate: Sendable, Hashable {
    /// Date and time.
    let text: String
    /// The date alone.
    var day: String { String(text.prefix(8)) }

    /// The time so many seconds after 1970 began.
    init(seconds: Int64) {
        let days = seconds / 86_400
        let rest = seconds - days * 86_400
        // The calendar begins in March, so that the leap day is the last one of a year (Howard Hinnant's algorithm).
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        text =
            Self.digits(year, 4) + Self.digits(month, 2) + Self.digits(day, 2) + "T"
            + Self.digits(rest / 3600, 2) + Self.digits(rest / 60 % 60, 2) + Self.digits(rest % 60, 2) + "Z"
    }

    /// The time now.
    static var now: SigningDate { SigningDate(seconds: secondsNow) }
    /// Seconds since 1970 began.
    static var secondsNow: Int64 { Int64(time(nil)) }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
