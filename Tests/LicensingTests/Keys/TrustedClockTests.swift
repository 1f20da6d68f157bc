import Testing

@testable import Licensing
@testable import StoreModel

@Suite("The latest moment that was seen")
struct HighWaterTests {
    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test("follows the clock on the wall, also over a night of sleep")
    func follows() {
        var mark = HighWater(mark: time(0), uptime: 100)
        #expect(mark.moment(wall: time(5000), uptime: 200).trusted == time(5000))
        #expect(mark.moment(wall: time(9000), uptime: 4200).trusted == time(9000))
    }

    @Test("does not go back with the clock, and advances by itself")
    func goesOn() {
        var mark = HighWater(mark: time(0), uptime: 0)
        _ = mark.moment(wall: time(1_000_000), uptime: 0)
        let moment = mark.moment(wall: time(5), uptime: 250)
        #expect(moment.trusted == time(1_000_250))
        #expect(moment.isBehind)
    }

    @Test("stands still over a restart of the machine and waits for the wall to catch up")
    func reboot() {
        var mark = HighWater(mark: time(1_000_000), uptime: 70)
        #expect(mark.moment(wall: time(10), uptime: 0).trusted == time(1_000_000))
        #expect(mark.moment(wall: time(2_000_000), uptime: 60).trusted == time(2_000_000))
        #expect(!mark.moment(wall: time(2_000_001), uptime: 61).isBehind)
    }

    @Test("ignores small corrections of the clock")
    func corrections() {
        var mark = HighWater(mark: time(600_000), uptime: 0)
        #expect(!mark.moment(wall: time(600_000 - 2000), uptime: 0).isBehind)
    }
}
