import ASCII
import Testing

@Suite("Days of the calendar")
struct CalendarDayTests {
    @Test(
        "A number of days since 1970 is a date, and the other way round",
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (58, 1970, 2, 28), (59, 1970, 3, 1), (789, 1972, 2, 29),
            (11_016, 2000, 2, 29), (11_017, 2000, 3, 1), (20_786, 2026, 11, 29), (47_540, 2100, 2, 28),
            (47_541, 2100, 3, 1), (-719_468, 0, 3, 1), (-719_469, 0, 2, 29), (-719_528, 0, 1, 1),
            (-719_529, -1, 12, 31), (2_932_896, 9999, 12, 31), (2_932_897, 10_000, 1, 1),
        ] as [(Int64, Int64, Int64, Int64)])
    func date(days: Int64, year: Int64, month: Int64, day: Int64) {
        #expect(CalendarDay(days: days) == CalendarDay(year: year, month: month, day: day))
        #expect(CalendarDay(year: year, month: month, day: day).days == days)
    }

    @Test("Eight hundred years of days are in order, without a gap")
    func order() throws {
        let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var last = CalendarDay(year: 1599, month: 12, day: 31)
        for days in last.days + 1...CalendarDay(year: 2400, month: 1, day: 1).days {
            let next = CalendarDay(days: days)
            let isLeap = last.year % 4 == 0 && (last.year % 100 != 0 || last.year % 400 == 0)
            let length = last.month == 2 && isLeap ? 29 : lengths[Int(last.month) - 1]
            let expected =
                last.day < length
                ? CalendarDay(year: last.year, month: last.month, day: last.day + 1)
                : last.month < 12
                    ? CalendarDay(year: last.year, month: last.month + 1, day: 1)
                    : CalendarDay(year: last.year + 1, month: 1, day: 1)
            try #require(next == expected && next.days == days)
            last = next
        }
    }

    @Test("A day that a month lacks is a day of the next month")
    func overflow() {
        #expect(
            CalendarDay(year: 2026, month: 2, day: 29).days == CalendarDay(year: 2026, month: 3, day: 1).days)
    }

    @Test(
        "A quotient is rounded down, below 0, too",
        arguments: [(7, 2), (6, 2), (0, 0), (-1, -1), (-3, -1), (-4, -2)] as [(Int64, Int64)])
    func floor(number: Int64, third: Int64) { #expect(number.floorDivided(by: 3) == third) }

    @Test("Digits are filled up with zeros, and never cut")
    func digits() {
        #expect(Int64(7).digits(2) == "07" && Int64(42).digits(2) == "42" && Int64(2026).digits(2) == "2026")
        #expect(Int64(0).digits(3) == "000")
    }
}
