internal import ASCII

/// Reads the times in answers of S3, all of them in UTC, as seconds after 1970 began.
enum CalendarTime {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The time of a `Date` field (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`; `nil` for other forms.
    static func seconds(ofField text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int64(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int64(words[3])
        else { return nil }
        return seconds(year: year, month: Int64(month) + 1, day: day, clock: words[4])
    }

    /// The time of a listing: `1994-11-06T08:49:37.000Z`; `nil` for other forms.
    static func seconds(ofListing text: String) -> Int64? {
        guard text.hasSuffix("Z") else { return nil }
        let halves = text.dropLast().split(separator: "T")
        guard halves.count == 2 else { return nil }
        let date = halves[0].split(separator: "-").map { Int64($0) }
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2] else { return nil }
        return seconds(year: year, month: month, day: day, clock: halves[1].prefix { $0 != "." })
    }

    private static func seconds(year: Int64, month: Int64, day: Int64, clock: Substring) -> Int64? {
        let parts = clock.split(separator: ":").compactMap { Int64($0) }
        guard parts.count == 3, (1...12).contains(month), (1...31).contains(day),
            (1970...9999).contains(year),
            (0...23).contains(parts[0]), (0...59).contains(parts[1]), (0...60).contains(parts[2])
        else { return nil }
        let days = CalendarDay(year: year, month: month, day: day).days
        return days * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2]
    }
}
