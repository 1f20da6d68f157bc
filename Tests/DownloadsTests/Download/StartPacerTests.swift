import ModelTestSupport
import Testing

@testable import Downloads

@Suite("The starts of an asset's transfers")
struct StartPacerTests {
    /// Starts `count` transfers as early as they may, all wanted at `now`; returns when.
    private func starts(_ count: Int, lanes: Int, _ pacer: inout StartPacer, at now: Double) -> [Double] {
        var now = now
        return (0..<count).map { _ in
            now += pacer.pause(now: now)
            pacer.started(now: now, lanes: lanes)
            return now
        }
    }

    @Test("are spread over the time of an answer if they are requested at once")
    func spread() {
        var pacer = StartPacer()
        pacer.answered(after: 0.04)
        let times = starts(16, lanes: 16, &pacer, at: 1)
        #expect(times[0] == 1)
        #expect(abs(times[8] - 1.0175) < 0.0001)
        #expect(abs(times[15] - 1.035) < 0.0001)
    }

    @Test("do not wait before the first answer")
    func unknown() {
        var pacer = StartPacer()
        #expect(starts(3, lanes: 16, &pacer, at: 1) == [1, 1, 1])
    }

    @Test("An origin that answers within a millisecond is asked at once")
    func near() {
        var pacer = StartPacer()
        pacer.answered(after: 0.001)
        #expect(starts(16, lanes: 6, &pacer, at: 1).allSatisfy { $0 == 1 })
    }

    @Test("An origin that took seconds to answer is not asked as seldom as that")
    func slow() {
        var pacer = StartPacer()
        pacer.answered(after: 30)
        let times = starts(3, lanes: 2, &pacer, at: 1)
        #expect(times[0] == 1)
        #expect(abs(times[2] - 1.05) < 0.0001)
    }

    @Test("come earlier after a late one, so that the pace is kept")
    func catchesUp() {
        var pacer = StartPacer()
        pacer.answered(after: 0.16)
        for now in [1, 1, 1.018] { pacer.started(now: now, lanes: 16) }
        #expect(abs(pacer.pause(now: 1.018) - 0.002) < 0.0001)
    }

    @Test("After a rest, no more than one start is made up for")
    func rest() {
        var pacer = StartPacer()
        pacer.answered(after: 0.16)
        pacer.started(now: 1, lanes: 16)
        let times = starts(3, lanes: 16, &pacer, at: 9)
        #expect(times[0] == 9)
        #expect(times[1] == 9)
        #expect(abs(times[2] - 9.01) < 0.0001)
    }

    @Test("Answers on new connections, which take longer, slow the pace down but little")
    func connections() {
        var pacer = StartPacer()
        pacer.answered(after: 0.04)
        for _ in 0..<3 { pacer.answered(after: 0.08) }
        let slower = starts(9, lanes: 4, &pacer, at: 1)
        #expect(slower[8] > 1.07 && slower[8] < 1.1)
        pacer.answered(after: 0.04)
        let again = starts(9, lanes: 4, &pacer, at: 2)
        #expect(abs(again[8] - 2.07) < 0.0001)
    }
}
