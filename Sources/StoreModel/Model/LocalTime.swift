internal import Glibc

/// The clock on the wall: the system's time zone.
package enum LocalTime {
    /// The minute of the day, 0 to 1439, in the system's time zone.
    package static func minuteOfDay(_ moment: Timestamp) -> Int {
        unsafe read(moment) { unsafe Int($0.tm_hour) * 60 + Int($0.tm_min) }
    }

    /// Seconds by which the system's time zone is ahead of UTC at a moment.
    static func offset(_ moment: Timestamp) -> Int {
        unsafe read(moment) { unsafe Int($0.tm_gmtoff) }
    }

    /// A number of the broken-down local time; 0 if the moment has none.
    @unsafe private static func read(_ moment: Timestamp, _ number: (tm) -> Int) -> Int {
        var seconds = time_t(moment.milliseconds / 1000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return 0 }
        return unsafe number(parts)
    }
}

extension Timestamp {
    /// The local time for people, to the second: `2026-11-25 22:44:57`.
    package var localText: String { localText(offset: LocalTime.offset(self)) }

    /// The local time with its distance from UTC, for texts that are read in other zones, too:
    /// `2026-11-25 22:44:57 +01:00`.
    package var zonedText: String { zonedText(offset: LocalTime.offset(self)) }

    /// The time in a zone that is so many seconds ahead of UTC.
    func localText(offset: Int) -> String {
        let shifted = Timestamp(milliseconds: milliseconds + Int64(offset) * 1000)
        return String(shifted.rfc3339.prefix(19).replacing("T", with: " "))
    }

    func zonedText(offset: Int) -> String {
        guard offset != 0 else { return "\(localText(offset: 0)) UTC" }
        let (hours, minutes) = (abs(offset) / 60).quotientAndRemainder(dividingBy: 60)
        let two = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
        return "\(localText(offset: offset)) \(offset < 0 ? "-" : "+")\(two(hours)):\(two(minutes))"
    }
}
