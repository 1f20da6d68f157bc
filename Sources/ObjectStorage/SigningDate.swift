internal import ASCII
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
        let date = CalendarDay(days: days)
        text =
            date.year.digits(4) + date.month.digits(2) + date.day.digits(2) + "T"
            + (rest / 3600).digits(2) + (rest / 60 % 60).digits(2) + (rest % 60).digits(2) + "Z"
    }

    /// The time now.
    static var now: SigningDate { SigningDate(seconds: secondsNow) }
    /// Seconds since 1970 began.
    static var secondsNow: Int64 { Int64(time(nil)) }
}
