import Testing

@testable import StoreModel
@testable import StorePlanning

/// How many transfers a download begins with, against lines that are played here.
struct LineProbeTests {
    /// The allowance after so many windows on a line that carries `perTransfer` for each, `total` at most.
    private func allowance(perTransfer: Double, total: Double, windows: Int) -> Int {
        var probe = LineProbe(usual: 6, now: 0)
        var bytes = 0.0
        for window in 1...windows {
            bytes += min(Double(probe.allowance) * perTransfer, total) * LineProbe.window
            probe.look(total: UInt64(bytes), now: Double(window) * LineProbe.window, wasBusy: true)
        }
        return probe.allowance
    }

    @Test(
        "a line that one transfer fills is left at three, so that it never rests, with a trial now and then")
    func shared() {
        for windows in 3...100 {
            #expect([3, 4].contains(allowance(perTransfer: 1e5, total: 1e5, windows: windows)))
        }
    }

    @Test("an origin that is slow for each transfer soon gets the usual number of them")
    func limitedEach() {
        #expect(allowance(perTransfer: 1e5, total: 1e9, windows: 6) >= 6)
    }

    @Test("an origin that says nothing for long is not waited for with one transfer alone")
    func silent() {
        #expect(allowance(perTransfer: 0, total: 0, windows: 6) >= 6)
    }

    @Test(
        "a fast unit is followed by the usual number of transfers, a slow one by no more than before"
    )
    func small() {
        var probe = LineProbe(usual: 6, now: 0)
        probe.unitCame(within: 0.4, waited: 3)
        #expect(probe.allowance == 1)
        probe.unitCame(within: 0.05, waited: 3)
        #expect(!probe.isRamping)
        probe.unitCame(within: 0.05, waited: 3)
        #expect(probe.allowance == 6)
    }

    @Test("an unknown line is measured sooner, unless it is silent")
    func sooner() {
        var probe = LineProbe(usual: 6, now: 0)
        probe.look(total: 0, now: 0.1, wasBusy: false)
        #expect(probe.isDue(0.1) && probe.allowance == 1)
        probe.look(total: 10_000, now: 0.15, wasBusy: true)
        #expect(probe.allowance == 2 && probe.rate != nil)
        #expect(!probe.isDue(0.3) && probe.isDue(0.45))
    }

    @Test("slow lines are asked for as much as they carry in a moment, fast and unknown ones for everything")
    func pieces() {
        var probe = LineProbe(usual: 6, now: 0)
        #expect(probe.pieceLength(lanes: 1) == nil)
        probe.look(total: 50_000, now: 0.5, wasBusy: true)
        #expect(probe.pieceLength(lanes: 1) == 40_000)
        #expect(probe.pieceLength(lanes: 4) == 10_000)
        #expect(probe.pieceLength(lanes: 1000) == LineProbe.smallestPiece)
        for window in 1...20 {
            probe.look(total: UInt64(window) * 50_000_000, now: 0.5 + Double(window), wasBusy: true)
        }
        #expect(probe.pieceLength(lanes: 1) == nil)
    }

    @Test("from far away, more is asked for at a time, so that the line does not rest for most of it")
    func farAway() {
        var probe = LineProbe(usual: 6, now: 0)
        probe.look(total: 50_000, now: 0.5, wasBusy: true)
        probe.unitCame(within: 0.5, waited: 0.05)
        #expect(probe.pieceLength(lanes: 1) == 40_000)
        probe = LineProbe(usual: 6, now: 0)
        probe.look(total: 50_000, now: 0.5, wasBusy: true)
        probe.unitCame(within: 0.5, waited: 0.25)
        #expect(probe.pieceLength(lanes: 1) == 100_000)
        probe.unitCame(within: 0.5, waited: 100)
        #expect(probe.pieceLength(lanes: 1) == 100_000)
        probe = LineProbe(usual: 6, now: 0)
        probe.look(total: 50_000, now: 0.5, wasBusy: true)
        probe.unitCame(within: 0.5, waited: 100)
        #expect(probe.pieceLength(lanes: 1) == 200_000)
    }

    @Test("an unknown line on which bytes arrive has one transfer")
    func unknown() {
        var probe = LineProbe(usual: 6, now: 0)
        probe.look(total: 50_000, now: 0.3, wasBusy: false)
        #expect(probe.allowance == 1)
        probe.look(total: 100_000, now: 0.6, wasBusy: true)
        #expect(probe.allowance == 2)
    }

    @Test("a line that was not busy is not taken for a slow one, but may turn out to be faster")
    func idle() {
        var probe = LineProbe(usual: 6, now: 0)
        probe.look(total: 50_000, now: 0.5, wasBusy: false)
        #expect(probe.rate == nil)
        probe.look(total: 100_000, now: 1, wasBusy: true)
        #expect(probe.rate == 100_000)
        probe.look(total: 110_000, now: 1.5, wasBusy: false)
        #expect(probe.rate == 100_000)
        probe.look(total: 260_000, now: 2, wasBusy: false)
        #expect(probe.rate == 200_000)
    }

    @Test("a silent line tells no rate and does not change a known one")
    func silence() {
        var probe = LineProbe(usual: 6, now: 0)
        probe.look(total: 0, now: 0.25, wasBusy: true)
        #expect(probe.rate == nil && probe.pieceLength(lanes: 1) == nil)
        probe.look(total: 25_000, now: 0.5, wasBusy: true)
        #expect(probe.rate == 100_000)
        probe.look(total: 25_000, now: 0.75, wasBusy: true)
        #expect(probe.rate == 100_000)
    }

    @Test("a line that falls silent among its first transfers gets one more, not one less")
    func stalled() {
        var probe = LineProbe(usual: 6, now: 0)
        let totals: [UInt64] = [25_000, 75_000, 150_000, 150_000]
        var allowances: [Int] = []
        for (number, total) in totals.enumerated() {
            probe.look(total: total, now: Double(number + 1) * LineProbe.window, wasBusy: true)
            allowances.append(probe.allowance)
        }
        #expect(allowances == [2, 3, 4, 5])
    }

    @Test("a trial that brings nothing is repeated after eight windows")
    func trials() {
        let trials = (3...27).filter { allowance(perTransfer: 1e5, total: 1e5, windows: $0) == 4 }
        #expect(trials.count == 3)
        #expect(zip(trials.dropFirst(), trials).allSatisfy { $0 - $1 == LineProbe.windowsBetweenTrials })
    }
}
