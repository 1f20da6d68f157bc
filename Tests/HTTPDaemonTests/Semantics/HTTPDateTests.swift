import HTTPDaemon
import Testing

@Suite("An HTTP date")
struct HTTPDateTests {
    let now = HTTPDate(seconds: 1_795_000_000)

    @Test(
        "is read in all three forms of RFC 9110 §5.6.7",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func forms(text: String) { #expect(HTTPDate(text, now: now) == HTTPDate(seconds: 784_111_777)) }

    @Test("with a day of two digits is read as asctime prints it")
    func asctime() {
        #expect(HTTPDate("Wed Nov 16 08:49:37 1994", now: now) == HTTPDate(seconds: 784_975_777))
    }

    @Test(
        "is printed as IMF-fixdate",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (-11_676_096_000, "Mon, 01 Jan 1600 00:00:00 GMT"),
        ] as [(Int64, String)])
    func printing(seconds: Int64, text: String) {
        #expect(HTTPDate(seconds: seconds).fieldValue.dropFirst(5) == text.dropFirst(5))
        #expect(HTTPDate(text, now: now)?.seconds == seconds)
    }

    @Test("is read as it was printed, over 400 years")
    func everyDay() {
        for day in stride(from: Int64(-60_000), to: 90_000, by: 37) {
            let date = HTTPDate(seconds: day * 86_400 + 12_345)
            #expect(HTTPDate(date.fieldValue, now: now) == date)
        }
    }

    @Test("with a two-digit year is at most 50 years ahead")
    func twoDigitYears() {
        #expect(HTTPDate("Friday, 01-Jan-76 00:00:00 GMT", now: now)?.fieldValue.contains("2076") == true)
        #expect(HTTPDate("Friday, 01-Jan-77 00:00:00 GMT", now: now)?.fieldValue.contains("1977") == true)
    }

    @Test(
        "that is not valid is refused",
        arguments: [
            "", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun 06 Nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994  08:49:37 GMT", "1994-11-06T08:49:37Z", "Sun, 06-Nov-94 08:49:37 GMT",
        ])
    func invalid(text: String) { #expect(HTTPDate(text, now: now) == nil) }

    @Test("of a leap second is the second before it")
    func leapSecond() {
        #expect(HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT", now: now)?.seconds == 1_483_228_799)
    }
}
