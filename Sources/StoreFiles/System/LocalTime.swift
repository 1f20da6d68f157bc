internal import Glibc

/// The clock on the wall.
package enum LocalTime {
    /// The minute of the day, 0 to 1439, in the system's time zone.
    package static func minuteOfDay(_ moment: Timestamp) -> Int {
        var seconds = time_t(moment.milliseconds / 1000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return 0 }
        return unsafe Int(parts.tm_hour) * 60 + Int(parts.tm_min)
    }
}
