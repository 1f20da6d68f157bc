internal import ASCII

/// Dates as playlists have them: ISO 8601 with a zone (RFC 8216bis §4.4.4.6, §4.4.5.1).
public enum DateTime {
    /// Seconds since 1970-01-01T00:00:00Z; `nil` for a text without a date and a time. Without a zone, UTC is
    /// assumed, as players do.
    public static func seconds(parsing text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"),
            let year = number(bytes, 0..<4), let month = number(bytes, 5..<7), (1...12).contains(month),
            let day = number(bytes, 8..<10), (1...31).contains(day), let hour = number(bytes, 11..<13),
            let minute = number(bytes, 14..<16), let second = number(bytes, 17..<19), hour < 25, minute < 60,
            second < 61
        else { return nil }
        var end = 19
        if bytes.count > end, bytes[end] == .dot {
            end = bytes[(end + 1)...].firstIndex { $0.isDigit == false } ?? bytes.count
        }
        let fraction = DecimalText.decimal([.zero] + bytes[19..<end]) ?? 0
        guard let offset = offset(bytes[end...]) else { return nil }
        let whole = days(year, month, day: day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Double(whole) + fraction
    }

    private static func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        DecimalText.integer(bytes[range])
    }

    /// Seconds east of UTC, of `Z`, `+01:00`, `+0100` or `+01`.
    private static func offset(_ zone: ArraySlice<UInt8>) -> Int? {
        guard let first = zone.first else { return 0 }
        let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
        if first | 0x20 == UInt8(ascii: "z") { return digits.isEmpty ? 0 : nil }
        guard first == UInt8(ascii: "+") || first == UInt8(ascii: "-"),
            digits.count == 2 || digits.count == 4,
            let hours = number(digits, 0..<2)
        else { return nil }
        let minutes = digits.count == 4 ? number(digits, 2..<4) : 0
        return minutes.map { (hours * 3600 + $0 * 60) * (first == UInt8(ascii: "-") ? -1 : 1) }
    }

    /// Days from 1970-01-01 to a day of the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
