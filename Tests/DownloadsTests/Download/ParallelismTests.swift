import Testing

@testable import Downloads

/// The number of an asset's simultaneous transfers, and their reported rate.
struct ParallelismTests {
    /// Ends as many transfers as make up a window of one second at `rate` bytes per second.
    private struct Origin {
        var controller: ParallelismController
        var bytes: UInt64 = 0
        var now = 0.0

        init(_ controller: ParallelismController = ParallelismController()) {
            self.controller = controller
            self.controller.transferEnded(totalBytes: 0, now: 0)
        }

        mutating func window(_ rate: (Int) -> Double) {
            let limit = controller.limit
            now += 1
            bytes += UInt64(rate(limit))
            for _ in 0..<limit { controller.transferEnded(totalBytes: bytes, now: now) }
        }
    }

    @Test("it starts at 6 and never exceeds the maximum")
    func beginning() {
        #expect(ParallelismController().limit == 6)
        #expect(ParallelismController(maximum: 2).limit == 2)
        var origin = Origin(ParallelismController(maximum: 7))
        for _ in 0..<50 { origin.window { Double($0) * 1000 } }
        #expect(origin.controller.limit == 7)
    }

    @Test("until the rate is known, as many transfers start as fit into the wait for the first ones")
    func waiting() {
        var controller = ParallelismController()
        controller.unitCame(after: 0.42, waited: 0.04)
        #expect(controller.limit == 6)
        controller.unitCame(after: 0.05, waited: 0.045)
        #expect(controller.limit == 10)
        controller.unitCame(after: 0.04, waited: 0.04)
        #expect(controller.limit == 16)
        var origin = Origin()
        for _ in 0..<2 { origin.window { _ in 1_000_000 } }
        origin.controller.unitCame(after: 0.04, waited: 0.04)
        #expect(origin.controller.limit == 6)
    }

    @Test("it grows as long as that brings more")
    func growth() {
        var origin = Origin()
        for _ in 0..<5 { origin.window { Double($0) * 1000 } }
        #expect(origin.controller.limit == 16)
    }

    @Test("a small part of the hoped-for gain is enough to go on, for rates waver")
    func smallGain() {
        var origin = Origin()
        for _ in 0..<5 { origin.window { 1_000_000 + Double($0) * 20_000 } }
        #expect(origin.controller.limit == 16)
    }

    @Test("it goes back after a trial without a gain, and tries again much later")
    func saturated() {
        var origin = Origin()
        origin.window { _ in 1_000_000 }
        #expect(origin.controller.limit == 10)
        origin.window { _ in 1_000_000 }
        #expect(origin.controller.limit == 6)
        for _ in 0..<19 {
            origin.window { _ in 1_000_000 }
            #expect(origin.controller.limit == 6)
        }
        origin.window { _ in 1_000_000 }
        #expect(origin.controller.limit == 10)
    }

    @Test("a window is over after a tenth of a second, when as many transfers have ended as may run")
    func window() {
        var controller = ParallelismController()
        controller.transferEnded(totalBytes: 0, now: 0)
        for _ in 0..<5 { controller.transferEnded(totalBytes: 1000, now: 0.1) }
        #expect(controller.limit == 6)
        controller.transferEnded(totalBytes: 1000, now: 0.1)
        #expect(controller.limit == 10)
    }

    @Test("a lower maximum holds at once, and a higher one does not raise the number by itself")
    func maximum() {
        var controller = ParallelismController()
        controller.maximum = 3
        #expect(controller.limit == 3)
        controller.maximum = 16
        #expect(controller.limit == 3)
        controller.unitCame(after: 0, waited: 0)
        #expect(controller.limit == 3, "a unit that took no time tells nothing")
    }

    @Test("a window that is too short changes nothing")
    func shortWindow() {
        var controller = ParallelismController()
        for step in 0..<100 { controller.transferEnded(totalBytes: UInt64(step), now: Double(step) * 0.0005) }
        #expect(controller.limit == 6)
    }
}
