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

@Suite("The log of plays")
struct PlayLogTests {
    private let log = PlayLog()
    private let token = AssetToken(at: Timestamp(milliseconds: 1))

    @Test("keeps the furthest end and the last time of an asset until they are taken")
    func progress() {
        #expect(log.lastPlay(of: token) == nil)
        log.note(token, end: 8, now: 100)
        log.note(token, end: 4, now: 101)
        #expect(log.lastPlay(of: token) == 101)
        let taken = log.take(now: 102)
        #expect(taken[token]?.end == 8 && taken[token]?.seen == 101)
        #expect(log.take(now: 103).isEmpty)
        #expect(log.lastPlay(of: token) == nil)
        log.note(token, end: 4, now: 104)
        #expect(log.take(now: 105)[token]?.end == 4)
    }

    @Test("has an asset played for less than a minute after its last request, written down or not")
    func playing() {
        log.note(token, end: 4, now: 100)
        #expect(log.playing(now: 159.5) == [token] && log.playing(now: 160) == [])
        _ = log.take(now: 159.5)
        #expect(log.playing(now: 159.5) == [token])
        _ = log.take(now: 160)
        #expect(log.playing(now: 100) == [], "it is forgotten")
    }

    @Test("has the segments that players ask for or wait for, and no initialization sections")
    func segments() {
        let players = Players()
        func key(_ kind: UnitKind) -> UnitKey {
            UnitKey(token: token, unit: UnitID(rendition: "video", kind: kind, number: 0))
        }
        func isNoted() -> Bool { !players.log.take(now: SteadyClock.seconds).isEmpty }
        players.requested(key(.initialization), end: 4)
        _ = players.hold(key(.initialization), end: 4, counts: true)
        _ = players.hold(key(.segment), end: 4, counts: false)
        #expect(!isNoted())
        players.requested(key(.segment), end: 4)
        #expect(isNoted())
        _ = players.hold(key(.segment), end: 4, counts: true)
        #expect(isNoted())
    }
}

@Suite("A transfer that gets nothing for now")
struct HeldUpTests {
    private let meter = ByteMeter()

    @Test("needs no slot if it waits for its host, whatever else runs")
    func waits() {
        #expect(!meter.isHeldUp)
        meter.beginTransfer()
        for _ in 0..<2 { meter.beginWait() }
        #expect(meter.isHeldUp)
        meter.endWait()
        #expect(meter.isHeldUp)
        meter.endWait()
        #expect(!meter.isHeldUp)
    }

    @Test("needs no slot if it waits for its retry and no other one runs")
    func rests() {
        for _ in 0..<2 { meter.beginRest() }
        #expect(meter.isHeldUp)
        meter.beginTransfer()
        #expect(!meter.isHeldUp)
        meter.endTransfer()
        meter.endRest()
        #expect(meter.isHeldUp)
        meter.endRest()
        #expect(!meter.isHeldUp)
    }

    @Test("counts as progress only with bytes that were kept")
    func kept() {
        meter.add(1000)
        #expect(!meter.hasKept && meter.total == 1000)
        meter.noteKept()
        #expect(meter.hasKept)
    }
}
