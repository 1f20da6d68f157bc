import Testing

@testable import StoreModel

@Suite("Times for people")
struct LocalTimeTests {
    private static let moment = Timestamp(milliseconds: 1_764_110_697_987)  // 2025-11-25T22:44:57.987Z

    @Test("are local, to the second")
    func local() {
        #expect(Self.moment.localText(offset: 0) == "2025-11-25 22:44:57")
        #expect(Self.moment.localText(offset: 7200) == "2025-11-26 00:44:57")
        #expect(Self.moment.localText(offset: -12_600) == "2025-11-25 19:14:57")
    }

    @Test("name their zone where they are read in other zones, too")
    func zoned() {
        #expect(Self.moment.zonedText(offset: 0) == "2025-11-25 22:44:57 UTC")
        #expect(Self.moment.zonedText(offset: 3600) == "2025-11-25 23:44:57 +01:00")
        #expect(Self.moment.zonedText(offset: -12_600) == "2025-11-25 19:14:57 -03:30")
    }

    @Test("agree with the minute of the day of the system's zone")
    func system() {
        let clock = Self.moment.localText.suffix(8).split(separator: ":").compactMap { Int($0) }
        #expect(LocalTime.minuteOfDay(Self.moment) == clock[0] * 60 + clock[1])
    }
}
