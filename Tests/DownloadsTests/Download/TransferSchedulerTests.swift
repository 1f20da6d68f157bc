import SystemPackage
import Testing
import Transfers

@testable import Downloads
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The transfers of an asset that begin next")
struct TransferSchedulerTests {
    private static let row = RenditionRecord(
        name: "video", position: 0, kind: .variant, required: true, listings: [], hasPlaylist: true,
        container: .ts, duration: 400, segments: 100)

    private func job(_ number: Int) -> UnitJob {
        let unit = UnitRecord(
            kind: .segment, number: number, start: Double(number) * 4, duration: 4, url: "")
        return UnitJob(unit: unit, rendition: Self.row)
    }

    private func scheduler(_ count: Int, maximum: Int = 6) -> TransferScheduler {
        TransferScheduler((0..<count).map(job), maximum: maximum, now: 0)
    }

    private func steps(
        _ scheduler: inout TransferScheduler, _ wants: PlayerWants = PlayerWants(),
        pressure: PlayerPressure? = nil, isForPlayersOnly: Bool = false
    ) -> [TransferScheduler.Step] {
        scheduler.refill(
            .init(
                wants: wants, pressure: pressure ?? wants.pressure, isForPlayersOnly: isForPlayersOnly,
                canGoOn: true, total: 0, now: 0)
        ) { PartialFile(at: FilePath("/nowhere/\($0.partName)")) }
    }

    /// The numbers of the segments whose transfers begin.
    private func started(
        _ scheduler: inout TransferScheduler, _ wants: PlayerWants = PlayerWants(),
        pressure: PlayerPressure? = nil, isForPlayersOnly: Bool = false
    ) -> [Int] {
        numbers(steps(&scheduler, wants, pressure: pressure, isForPlayersOnly: isForPlayersOnly))
    }

    private func numbers(_ steps: [TransferScheduler.Step]) -> [Int] {
        steps.compactMap { step in
            guard case .start(let job, _, _) = step else { return nil }
            return job.unit.number
        }
    }

    private func isLook(_ step: TransferScheduler.Step) -> Bool {
        if case .look = step { true } else { false }
    }

    private func wants(
        _ pressure: PlayerPressure, demanded: [Int] = [], ahead: [Int] = []
    ) -> PlayerWants {
        PlayerWants(
            demanded: demanded.map { job($0).id }, ahead: ahead.map { job($0).id }, pressure: pressure)
    }

    /// A scheduler whose first segment came at once, so that the usual number of transfers is of use.
    private func quick(_ count: Int) -> TransferScheduler {
        var scheduler = scheduler(count)
        _ = started(&scheduler)
        scheduler.came(job(0), total: 1000, now: 0)
        scheduler.stored()
        return scheduler
    }

    @Test("are one at first, and six when it came at once")
    func ramp() {
        var scheduler = scheduler(20)
        let first = started(&scheduler)
        #expect(first == [0] && scheduler.isBusy)
        let none = started(&scheduler)
        #expect(none == [])
        scheduler.came(job(0), total: 1000, now: 0)
        let more = started(&scheduler)
        #expect(more == [1, 2, 3, 4, 5, 6])
    }

    @Test("are those for players, and beside a player with enough ahead a share of the others")
    func shared() {
        var scheduler = quick(20)
        let begun = started(&scheduler, wants(.shared, ahead: [9]))
        #expect(begun == [9, 1, 2] && scheduler.hasPlayers)
        let left = started(&scheduler)
        #expect(left == [3, 4, 5] && !scheduler.hasPlayers)
    }

    @Test("are urgent if a player waits for them; then no other one begins")
    func demanded() throws {
        var scheduler = quick(20)
        let steps = steps(&scheduler, wants(.demand, demanded: [9, 9], ahead: [10]))
        #expect(numbers(steps) == [9])
        guard case .start(_, _, let leash) = try #require(steps.first) else {
            Issue.record("no transfer begins")
            return
        }
        #expect(leash.control.isUrgent && !leash.control.isPaused)
    }

    @Test("are the next ones of players when these have little ahead, and none besides")
    func ahead() {
        var scheduler = quick(20)
        let begun = started(&scheduler, wants(.ahead, ahead: [9, 10]))
        #expect(begun == [9, 10])
    }

    @Test("are at most twelve for players: the six that are of use, and six more")
    func most() {
        var scheduler = quick(20)
        let begun = started(&scheduler, wants(.demand, demanded: Array(1..<20)))
        #expect(begun == Array(1...12))
        let none = started(&scheduler, wants(.demand, demanded: Array(1..<20)))
        #expect(none == [])
    }

    @Test("are urgent for players that have little ahead, and not for those that have enough")
    func urgency() {
        for (pressure, isUrgent) in [(PlayerPressure.ahead, true), (.shared, false)] {
            var scheduler = quick(20)
            for step in steps(&scheduler, wants(pressure, ahead: [9])) {
                guard case .start(let job, _, let leash) = step, job.unit.number == 9 else { continue }
                #expect(leash.control.isUrgent == isUrgent, "\(pressure)")
            }
        }
    }

    @Test("are spread after a slow answer while others run, and begin at once if none does")
    func pace() {
        var scheduler = scheduler(20)
        _ = started(&scheduler)
        scheduler.came(job(0), total: 1000, now: 0.4)
        scheduler.stored()
        let second = started(&scheduler)
        #expect(second == [1])
        scheduler.came(job(1), total: 2000, now: 0)
        scheduler.stored()
        let third = started(&scheduler)
        #expect(third == [2])
    }

    @Test("are none while players of other assets wait")
    func otherAssets() {
        var scheduler = quick(20)
        let begun = started(&scheduler, wants(.shared, ahead: [9]), pressure: .demand)
        #expect(begun == [])
    }

    @Test("are only demanded ones when nothing else is to be fetched")
    func playersOnly() {
        var scheduler = quick(20)
        let begun = started(
            &scheduler, wants(.demand, demanded: [7], ahead: [9]), pressure: .shared, isForPlayersOnly: true)
        #expect(begun == [7])
        let none = started(&scheduler, isForPlayersOnly: true)
        #expect(none == [])
    }

    @Test("are none while 64 units wait to be stored")
    func uncommitted() {
        var scheduler = scheduler(70, maximum: 1)
        for number in 0..<64 {
            let begun = started(&scheduler)
            #expect(begun == [number])
            scheduler.came(job(number), total: 0, now: 0)
        }
        let none = started(&scheduler)
        #expect(none == [] && scheduler.isBusy)
        scheduler.stored()
        let next = started(&scheduler)
        #expect(next == [64])
    }

    @Test("are measured by one look at a time")
    func looks() {
        var scheduler = scheduler(20)
        let first = steps(&scheduler).count(where: isLook)
        let second = steps(&scheduler).count(where: isLook)
        scheduler.ticked()
        let third = steps(&scheduler).count(where: isLook)
        #expect([first, second, third] == [1, 0, 1])
        var last = self.scheduler(1)
        let none = steps(&last).count(where: isLook)
        #expect(none == 0, "nothing else waits")
    }
}

extension TransferSchedulerTests {
    private func word(_ standing: TransferScheduler.Standing) -> String {
        switch standing {
        case .open: "open"
        case .hopeless(nil): "over"
        case .hopeless: "failed"
        }
    }

    @Test("a unit that failed is tried again for a player after more than five seconds")
    func failed() {
        var scheduler = scheduler(1)
        var words = [word(scheduler.standing(of: job(0).id, now: 9))]
        _ = started(&scheduler)
        words.append(word(scheduler.standing(of: job(0).id, now: 10)))
        scheduler.failed(job(0), StoreError(.status(503, retryAfter: nil)), now: 10)
        words.append(word(scheduler.standing(of: job(0).id, now: 15)))
        #expect(words == ["open", "open", "failed"] && !scheduler.hasWaiting && !scheduler.isBusy)
        let again = word(scheduler.standing(of: job(0).id, now: 15.5))
        #expect(again == "open" && scheduler.hasWaiting)
    }

    @Test("a unit that came is nothing to wait for; the last one has yet to be stored")
    func finishing() {
        var scheduler = scheduler(1)
        _ = started(&scheduler)
        #expect(!scheduler.isFinishing)
        scheduler.came(job(0), total: 1000, now: 1)
        let standing = word(scheduler.standing(of: job(0).id, now: 1))
        #expect(standing == "over" && scheduler.isFinishing && scheduler.isBusy)
        scheduler.stored()
        #expect(!scheduler.isFinishing && !scheduler.isBusy)
    }

    @Test("units that the origin lacked are asked for once more when nothing else runs")
    func secondRound() {
        var scheduler = scheduler(2)
        _ = started(&scheduler)
        scheduler.failed(job(0), StoreError(.status(404, retryAfter: nil)), now: 0)
        scheduler.askAgainAtTheEnd(job(0))
        let others = started(&scheduler)
        #expect(others == [1] && scheduler.hasMore && !scheduler.hasWaiting && !scheduler.isSecondRound)
        let early = started(&scheduler)
        #expect(early == [])
        scheduler.came(job(1), total: 1000, now: 0)
        #expect(!scheduler.isFinishing)
        let again = started(&scheduler)
        #expect(again == [0] && scheduler.isSecondRound && !scheduler.hasMore)
        scheduler.askAgainAtTheEnd(job(0))
        #expect(!scheduler.hasMore)
    }

    @Test("units are added, put back and dropped")
    func changes() {
        var scheduler = scheduler(1)
        _ = started(&scheduler)
        #expect(!scheduler.hasWaiting)
        scheduler.add([job(1)])
        #expect(scheduler.hasWaiting)
        scheduler.drop(Self.row)
        #expect(!scheduler.hasWaiting && !scheduler.hasMore)
        scheduler.putBack(job(1))
        #expect(scheduler.hasWaiting)
    }
}
