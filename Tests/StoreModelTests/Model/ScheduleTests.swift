import Foundation
import ModelTestSupport
import Testing

@testable import StoreModel

struct ScheduleTests {
    @Test(
        "a window is open from its first minute to before its last, also over midnight",
        arguments: [
            (
                "22:00-06:00",
                [(1319, false), (1320, true), (1439, true), (0, true), (359, true), (360, false)]
            ),
            ("12:00-13:30", [(719, false), (720, true), (809, true), (810, false)]),
            ("22:00-24:00,00:00-01:00", [(1439, true), (0, true), (60, false), (1319, false)]),
            ("00:59-01:00", [(58, false), (59, true), (60, false)]),
            ("always", [(0, true), (1439, true)]),
        ])
    func windows(_ text: String, _ moments: [(Int, Bool)]) throws {
        let schedule = try #require(Schedule(text))
        for (minute, isOpen) in moments {
            #expect(schedule.isOpen(atMinute: minute) == isOpen, "\(minute)")
        }
        #expect(schedule.description == text)
        #expect(try JSONText.decode(Schedule.self, JSONText.encode(schedule)) == schedule)
    }

    @Test(
        "a text that is not a time of day is refused",
        arguments: [
            "", "22:00", "22:00-", "22-06", "24:00-06:00", "22:60-23:00", "25:00-26:00", "10:00-10:00",
            "22:00-06:00,", "-1:00-02:00", "+1:00-02:00", "22:00-06:00-07:00", "１0:00-11:00",
            "21:60-23:00", "22:00-24:01", "21:00-22:60",
        ])
    func refused(_ text: String) { #expect(Schedule(text) == nil) }
}
