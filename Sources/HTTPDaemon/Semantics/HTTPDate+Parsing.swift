internal import ASCII

extension HTTPDate {
    /// Reads any of the three forms of RFC 9110 §5.6.7; `nil` for other texts. The two-digit year of the second form
    /// is the one that is not more than 50 years after `now`.
    public init?(_ text: String, now: HTTPDate) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch words.count {
        case 6: self.init(fixdate: words)
        case 4: self.init(rfc850: words, now: now)
        case 5: self.init(asctime: words, isPadded: true)
        default: return nil
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, or `Sun Nov  6 08:49:37 1994`, which has six words as well.
    private init?(fixdate words: [String]) {
        guard words[2].isEmpty == false, words[5] == "GMT" else {
            self.init(asctime: words.filter { !$0.isEmpty }, isPadded: false)
            return
        }
        guard words[0].hasSuffix(","), Self.isShortWeekday(words[0].dropLast()) else { return nil }
        self.init(
            year: Self.number(words[3], width: 4), month: words[2], day: Self.number(words[1], width: 2),
            time: words[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    private init?(rfc850 words: [String], now: HTTPDate) {
        let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard words[0].hasSuffix(","), Self.weekdays.contains(String(words[0].dropLast())), words[3] == "GMT",
            date.count == 3, let shortYear = Self.number(date[2], width: 2)
        else { return nil }
        let thisYear = CalendarDay(days: now.seconds / 86_400).year
        var year = thisYear - thisYear % 100 + 100 + shortYear
        while year > thisYear + 50 { year -= 100 }
        self.init(year: year, month: date[1], day: Self.number(date[0], width: 2), time: words[2])
    }

    /// `Sun Nov  6 08:49:37 1994`: a day of one digit is padded by a blank.
    private init?(asctime words: [String], isPadded: Bool) {
        guard words.count == 5, Self.isShortWeekday(words[0][...]), words[2].count == (isPadded ? 2 : 1)
        else {
            return nil
        }
        self.init(
            year: Self.number(words[4], width: 4), month: words[1],
            day: Self.number(words[2], width: words[2].count), time: words[3])
    }

    private init?(year: Int64?, month name: String, day: Int64?, time: String) {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map {
            Self.number(String($0), width: 2)
        }
        guard let year, let day, let month = Self.months.firstIndex(of: name).map({ Int64($0 + 1) }),
            clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let date = CalendarDay(year: year, month: month, day: day)
        // A month that lacks the day would count it into the next one.
        guard CalendarDay(days: date.days) == date else { return nil }
        self.init(seconds: date.days * 86_400 + hour * 3600 + minute * 60 + min(second, 59))
    }

    private static func isShortWeekday(_ text: Substring) -> Bool {
        weekdays.contains { $0.prefix(3) == text }
    }

    private static func number(_ text: String, width: Int) -> Int64? {
        guard text.utf8.count == width, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int64(text)
    }
}
