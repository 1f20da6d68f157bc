import ModelTestSupport
import Testing

@testable import StoreModel
@testable import StorePlanning

/// Where players are, told from what they ask for.
struct PlayheadsTests {
    private func unit(_ number: Int, _ rendition: String = "video") -> UnitID {
        UnitID(rendition: rendition, kind: .segment, number: number)
    }

    @Test("requests that follow each other are one player's, others make another")
    func following() {
        var playheads = Playheads()
        for number in [0, 1, 3, 3] {
            playheads.requested("video", number, end: Double(number + 1) * 4, now: 0)
        }
        #expect(playheads.heads.map(\.number) == [3])
        #expect(playheads.heads.first?.time == 16)
        playheads.requested("audio", 3, end: 16, now: 0)
        playheads.requested("video", 40, end: 164, now: 0)
        playheads.requested("video", 2, end: 12, now: 0)
        #expect(playheads.heads.map(\.number) == [3, 3, 40, 2])
    }

    @Test("a player that asks for nothing is gone after some seconds, unless it still waits")
    func leaving() {
        var playheads = Playheads()
        playheads.requested("video", 0, end: 4, now: 0)
        playheads.requested("video", 90, end: 364, now: 0)
        playheads.hold(unit(90))
        playheads.expire(now: 3)
        #expect(playheads.present.count == 2)
        playheads.expire(now: 4)
        #expect(playheads.present.map(\.number) == [90])
        playheads.release(unit(90), now: 20)
        playheads.expire(now: 23)
        #expect(!playheads.isEmpty)
        playheads.expire(now: 24)
        #expect(playheads.isEmpty)
    }

    @Test("a player that asks seldom is recognized with its buffer, and is forgotten in the end")
    func returning() {
        var playheads = Playheads()
        playheads.requested("video", 0, end: 10, now: 0)
        playheads.setFilled(playheads.heads[0].id, true)
        playheads.expire(now: 10)
        #expect(playheads.isEmpty && !playheads.isForgotten)
        playheads.requested("video", 1, end: 20, now: 10)
        playheads.expire(now: 11)
        #expect(playheads.present.map(\.isFilled) == [true])
        playheads.expire(now: 71)
        #expect(playheads.isForgotten)
    }

    @Test("a unit that several wait for is held until the last of them has it, in the order of requests")
    func holding() {
        var playheads = Playheads()
        for number in [7, 3, 7] { playheads.hold(unit(number)) }
        #expect(playheads.held == [unit(7), unit(3)])
        playheads.release(unit(7), now: 0)
        #expect(playheads.held == [unit(7), unit(3)])
        playheads.release(unit(7), now: 0)
        #expect(playheads.held == [unit(3)])
    }

    @Test("however many places are asked for, few are remembered")
    func bounded() {
        var playheads = Playheads()
        for number in 0..<1000 { playheads.requested("video", number * 10, end: 0, now: 0) }
        #expect(playheads.heads.count == Playheads.largestCount)
        #expect(playheads.heads.last?.number == 9990)
    }

    @Test("a request that follows two players is taken for that of the one farther on")
    func ambiguous() {
        var playheads = Playheads()
        for number in [5, 2, 4, 6] {
            playheads.requested("video", number, end: Double(number + 1) * 4, now: 0)
        }
        #expect(playheads.heads.map(\.number) == [6, 4])
        #expect(playheads.heads.map(\.time) == [28, 20])
    }

    @Test("a player that gets what it waited for counts as present from then on, and no other player does")
    func waiting() {
        var playheads = Playheads()
        playheads.requested("video", 0, end: 4, now: 0)
        playheads.requested("video", 90, end: 364, now: 0)
        playheads.hold(unit(90))
        playheads.release(unit(90), now: 20)
        playheads.expire(now: 20 + Playheads.presence)
        #expect(playheads.present.map(\.number) == [90])
        playheads.expire(now: 20.25 + Playheads.presence)
        #expect(playheads.present.isEmpty)
    }

    @Test("a place is remembered for a minute")
    func memory() {
        var playheads = Playheads()
        playheads.requested("video", 0, end: 4, now: 0)
        playheads.expire(now: Playheads.memory)
        #expect(!playheads.isForgotten)
        playheads.expire(now: Playheads.memory + 0.25)
        #expect(playheads.isForgotten)
    }
}
