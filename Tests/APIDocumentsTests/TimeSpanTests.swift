import Testing

@testable import APIDocuments

@Suite("A length of time") struct TimeSpanTests {
    @Test("is a number of seconds, minutes, hours, days or weeks")
    func units() {
        let all = ["90", "90s", "2m", "3h", "30d", "1w"].map { TimeSpan(argument: $0)?.seconds }
        #expect(all == [90, 90, 120, 10800, 2_592_000, 604_800])
        #expect(TimeSpan.text(10800) == "3h" && TimeSpan.text(90) == "90s" && TimeSpan.text(172_800) == "2d")
    }

    @Test(
        "is nothing else, and neither too short nor too long",
        arguments: [
            "", "h", "0", "-1", "1.5h", "1y", "٣", "99999999999999999999", "9223372036854775807d",
            "9223372036854775807",
        ])
    func refused(_ text: String) { #expect(TimeSpan(argument: text) == nil) }
}
