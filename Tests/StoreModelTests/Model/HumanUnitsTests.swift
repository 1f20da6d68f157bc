import Testing

@testable import StoreModel

@Suite("Sizes, times and rates for people")
struct HumanUnitsTests {
    @Test(
        "sizes are in powers of ten",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1500, "1.5 kB"), (12_345_678, "12.3 MB"),
            (123_960_000, "124 MB"), (999_499, "999 kB"), (999_960, "1 MB"),
            (250_000_000, "250 MB"), (1_000_000_000, "1 GB"), (2_500_000_000_000, "2.5 TB"),
            (Int64.max, "9223372 TB"),
        ] as [(Int64, String)])
    func sizes(_ count: Int64, _ text: String) {
        #expect(HumanUnits.bytes(count) == text)
    }

    @Test(
        "durations are minutes and seconds, with hours where there are some",
        arguments: [
            (0, "0:00"), (9.4, "0:09"), (59.6, "1:00"), (125, "2:05"), (3600, "1:00:00"), (3723, "1:02:03"),
            (360_000, "100:00:00"), (.nan, "?"), (-1, "?"), (.infinity, "?"),
        ] as [(Double, String)])
    func durations(_ seconds: Double, _ text: String) {
        #expect(HumanUnits.duration(seconds) == text)
    }

    @Test("bit rates and percentages")
    func rates() {
        #expect(HumanUnits.bitrate(800_000) == "800 kbit/s")
        #expect(HumanUnits.bitrate(800_900) == "801 kbit/s")
        #expect(HumanUnits.bitrate(999_999) == "1 Mbit/s")
        #expect(HumanUnits.bitrate(4_900_000) == "4.9 Mbit/s")
        #expect(HumanUnits.percent(0) == "0%")
        #expect(HumanUnits.percent(0.999) == "99%")
        #expect(HumanUnits.percent(1) == "100%")
    }
}
