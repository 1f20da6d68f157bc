import HLSPlaylist
import Testing

@Suite("A date of a playlist")
struct DateTimeTests {
    @Test(
        "is read with any zone, and without one as UTC",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:00z", 0), ("1969-12-31T23:59:59", -1),
            ("2000-03-01T00:00:00.25+01:00", 951_865_200.25), ("2026-02-28T23:59:59-0130", 1_772_328_599),
            ("2026-02-28T23:59:59+01", 1_772_319_599), ("2026-01-31T08:00:04.5Z", 1_769_846_404.5),
        ] as [(String, Double)])
    func zones(_ text: String, _ seconds: Double) {
        #expect(DateTime.seconds(parsing: text) == seconds)
    }

    @Test(
        "is the right day in every month, also around the end of February and of centuries",
        arguments: [
            ("1999-12-31T00:00:00Z", 946_598_400), ("2000-01-01T00:00:00Z", 946_684_800),
            ("2000-02-28T00:00:00Z", 951_696_000), ("2000-02-29T00:00:00Z", 951_782_400),
            ("2000-03-01T00:00:00Z", 951_868_800), ("2100-02-28T00:00:00Z", 4_107_456_000),
            ("2100-03-01T00:00:00Z", 4_107_542_400), ("2024-02-29T12:34:56Z", 1_709_210_096),
            ("2025-03-31T00:00:00Z", 1_743_379_200), ("2025-04-30T00:00:00Z", 1_745_971_200),
            ("2025-11-30T00:00:00Z", 1_764_460_800), ("2025-12-31T23:59:59Z", 1_767_225_599),
        ] as [(String, Double)])
    func days(_ text: String, _ seconds: Double) {
        #expect(DateTime.seconds(parsing: text) == seconds)
    }

    @Test(
        "may have an hour of 24 and a leap second, and nothing beyond",
        arguments: [
            ("2026-01-01T24:00:00Z", 1_767_312_000), ("2026-01-01T25:00:00Z", nil),
            ("2026-01-01T00:59:00Z", 1_767_229_140), ("2026-01-01T00:60:00Z", nil),
            ("2026-01-01T00:00:60Z", 1_767_225_660), ("2026-01-01T00:00:61Z", nil),
            ("2026-12-31T00:00:00Z", 1_798_675_200), ("2026-13-01T00:00:00Z", nil),
            ("2026-00-01T00:00:00Z", nil), ("2026-01-00T00:00:00Z", nil), ("2026-01-32T00:00:00Z", nil),
        ] as [(String, Double?)])
    func borders(_ text: String, _ seconds: Double?) {
        #expect(DateTime.seconds(parsing: text) == seconds)
    }

    @Test(
        "is refused when a part of it is missing or malformed",
        arguments: [
            "", "2026-01-01", "2026-01-01T00:00:0", "2026/01-01T00:00:00Z", "2026-01/01T00:00:00Z",
            "2026-01-01_00:00:00Z", "2026-01-01T00-00:00Z", "2026-01-01T00:00-00Z", "x026-01-01T00:00:00Z",
            "2026-x1-01T00:00:00Z", "2026-01-x1T00:00:00Z", "2026-01-01Tx0:00:00Z", "2026-01-01T00:x0:00Z",
            "2026-01-01T00:00:x0Z", "2026-01-01T00:00:00X", "2026-01-01T00:00:00Z1", "2026-01-01T00:00:00+1",
            "2026-01-01T00:00:00+010", "2026-01-01T00:00:00+x1", "2026-01-01T00:00:00+01:x0",
            "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00+01:00:00",
        ])
    func none(_ text: String) {
        #expect(DateTime.seconds(parsing: text) == nil)
    }
}
