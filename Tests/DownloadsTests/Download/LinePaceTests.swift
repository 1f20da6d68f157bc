import Testing

@testable import Downloads

@Suite("The pace of an asset's transfers")
struct LinePaceTests {
    private var pace = LinePace(maximum: 16, now: 0)

    @Test("is adjusted by one task at a time")
    mutating func ticks() {
        let first = pace.tick()
        #expect(first.map { $0 > 0 } == true)
        #expect(pace.tick() == nil)
        pace.ticked()
        #expect(pace.tick() != nil)
    }

    @Test("keeps a transfer waiting until its time, and others behind it")
    mutating func starts() {
        #expect(pace.start(now: 1) == .now)
        pace.unitCame(after: 1, waited: 0.4)
        for _ in 0..<2 { pace.started(now: 1) }
        guard case .after(let seconds) = pace.start(now: 1) else {
            Issue.record("it may start at once")
            return
        }
        #expect(seconds > 0 && seconds < StartPacer.longest + 0.001)
        #expect(pace.start(now: 1) == .later)
        pace.paced()
        #expect(pace.start(now: 1) == .after(seconds))
        #expect(pace.start(now: 1 + seconds) == .now)
    }

    @Test("allows as many as are known to be of use, and not more than the maximum")
    func allowance() {
        #expect((1...16).contains(pace.allowance))
        #expect(LinePace(maximum: 1, now: 0).allowance == 1)
    }
}
