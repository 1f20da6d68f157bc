import Locking
import Testing

@testable import Downloads
@testable import StoreModel
@testable import StorePlanning

@Suite("The downloads of assets that are played")
struct PlayersTests {
    private let players = Players()
    private let tokens = (1...2).map { AssetToken(at: Timestamp(milliseconds: $0)) }
    private let wakes = Lock([0, 0])

    init() {
        for (number, token) in tokens.enumerated() {
            players.attach(token) { [wakes] in wakes.withLock { $0[number] += 1 } }
        }
    }

    /// How often each download was woken.
    private var counts: [Int] { wakes.withLock(\.self) }

    /// Tells what the players of an asset need; returns the need of the players of all assets.
    private func tell(_ number: Int, _ pressure: PlayerPressure) -> PlayerPressure {
        players.wants(tokens[number]) { _ in PlayerWants(pressure: pressure) }.pressure
    }

    @Test("are woken when the need of the players of all assets changes, except the one that changed it")
    func woken() {
        #expect(tell(0, .demand) == .demand && counts == [0, 1])
        #expect(tell(1, .none) == .demand && counts == [0, 1])
        #expect(tell(0, .shared) == .shared && counts == [0, 2])
        #expect(tell(1, .ahead) == .ahead && counts == [1, 2])
        #expect(tell(1, .none) == .shared && counts == [2, 2])
        #expect(tell(0, .none) == PlayerPressure.none && counts == [2, 3])
    }

    @Test("are left alone while the greatest need stays the same")
    func same() {
        #expect(tell(0, .none) == PlayerPressure.none && counts == [0, 0])
        #expect(tell(0, .ahead) == .ahead && counts == [0, 1])
        #expect(tell(0, .ahead) == .ahead && counts == [0, 1])
        #expect(tell(1, .ahead) == .ahead && counts == [0, 1])
        #expect(tell(0, .shared) == .ahead && counts == [0, 1])
    }

    @Test("are woken when another one ends, whose players need nothing of the line any more")
    func detached() {
        #expect(tell(0, .demand) == .demand && counts == [0, 1])
        #expect(players.isServed(tokens[0]) && players.isServed(tokens[1]))
        players.detach(tokens[0])
        #expect(counts == [0, 2])
        #expect(!players.isServed(tokens[0]) && players.isServed(tokens[1]))
        #expect(tell(1, .none) == PlayerPressure.none && counts == [0, 2])
    }
}

@Suite("The time without bytes of any transfer")
struct QuietTimeTests {
    /// A moment after all that happened before, and before all that happens afterwards.
    private func moment() -> Double {
        func laterMoment() -> Double {
            let before = SteadyClock.seconds
            while SteadyClock.seconds - before < 1e-5 {}
            return SteadyClock.seconds
        }
        let moment = laterMoment()
        _ = laterMoment()
        return moment
    }

    @Test("counts from the first of the transfers when no byte has come since")
    func fromTransfer() {
        let meter = ByteMeter()
        let before = moment()
        meter.beginTransfer()
        let between = moment()
        meter.beginTransfer()
        #expect(meter.stalled(now: before + SpeedWindow.span) == nil)
        #expect(meter.stalled(now: between + SpeedWindow.span) != nil)
        meter.endTransfer()
        #expect(meter.stalled(now: between + SpeedWindow.span) != nil)
        meter.endTransfer()
        #expect(meter.stalled(now: between + SpeedWindow.span) == nil, "no transfer runs")
    }

    @Test("counts from the last byte when one has come")
    func fromByte() {
        let meter = ByteMeter()
        meter.beginTransfer()
        let before = moment()
        meter.add(1)
        let after = moment()
        #expect(meter.stalled(now: before + SpeedWindow.span) == nil)
        #expect(meter.stalled(now: after + SpeedWindow.span) != nil)
    }
}
