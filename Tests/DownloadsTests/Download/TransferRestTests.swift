import SystemPackage
import TestSupport
import Testing
import Transfers

@testable import Downloads
@testable import StoreFiles
@testable import StoreModel
@testable import StorePlanning

@Suite("The rests of running transfers")
struct TransferRestTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func unit(_ number: Int) -> UnitID {
        UnitID(rendition: "video", kind: .segment, number: number)
    }

    private func file(_ number: Int) throws -> PartialFile {
        try PartialFile(creating: FilePath(folder.file("\(number).part")))
    }

    private func situation(
        _ pressure: PlayerPressure = .none, demanded: [UnitID] = [], ahead: [UnitID] = [], now: Double
    ) -> RunningTransfers.Situation {
        .init(demanded: Set(demanded), ahead: Set(ahead), pressure: pressure, usual: 6, now: now)
    }

    @Test("a unit without a transfer does not rest")
    func unknown() throws {
        var transfers = RunningTransfers()
        #expect(!transfers.isResting(unit(0), now: 100))
        transfers.begin(
            unit(1), leash: TransferLeash(), file: try file(1), isForPlayer: false, now: 0)
        #expect(!transfers.isResting(unit(0), now: 100))
    }

    @Test("a transfer rests when more than two seconds brought no byte, until the next byte")
    func silent() throws {
        let file = try file(0)
        var transfers = RunningTransfers()
        transfers.begin(unit(0), leash: TransferLeash(), file: file, isForPlayer: true, now: 10)
        #expect(!transfers.isResting(unit(0), now: 12) && transfers.isResting(unit(0), now: 12.5))
        let bytes: [UInt8] = [1, 2, 3]
        try unsafe file.append(bytes.span.bytes)
        #expect(!transfers.isResting(unit(0), now: 20))
        transfers.adjust(situation(demanded: [unit(0)], now: 20))
        #expect(!transfers.isResting(unit(0), now: 22) && transfers.isResting(unit(0), now: 22.5))
    }

    @Test("a transfer rests while it waits for its next try")
    func waiting() throws {
        let file = try file(0)
        var transfers = RunningTransfers()
        transfers.begin(unit(0), leash: TransferLeash(), file: file, isForPlayer: true, now: 10)
        file.isResting = true
        #expect(transfers.isResting(unit(0), now: 10))
        file.isResting = false
        #expect(!transfers.isResting(unit(0), now: 10))
    }

    @Test("those for players are told from the others, as players come and go")
    func background() throws {
        var transfers = RunningTransfers()
        for number in 0..<3 {
            transfers.begin(
                unit(number), leash: TransferLeash(), file: try file(number), isForPlayer: number == 0,
                now: 0)
        }
        #expect(transfers.count == 3 && transfers.background == 2)
        transfers.adjust(situation(.demand, demanded: [unit(1)], ahead: [unit(2)], now: 1))
        #expect(transfers.count == 3 && transfers.background == 1)
        transfers.adjust(situation(now: 2))
        #expect(transfers.background == 3)
    }

    @Test("a transfer that has ended tells its time once; before the first byte, all of it was waiting")
    func end() throws {
        var transfers = RunningTransfers()
        transfers.begin(
            unit(0), leash: TransferLeash(), file: try file(0), isForPlayer: false, now: 4)
        let ended = transfers.end(unit(0), now: 7)
        let again = transfers.end(unit(0), now: 8)
        #expect(ended?.seconds == 3 && ended?.waited == 3)
        #expect(again?.seconds == nil && transfers.count == 0)
    }

    @Test("those that a player waits for are urgent, and so are its next ones unless these have time")
    func urgent() throws {
        let leash = TransferLeash()
        var transfers = RunningTransfers()
        transfers.begin(unit(0), leash: leash, file: try file(0), isForPlayer: false, now: 0)
        var ahead = situation(.ahead, ahead: [unit(0)], now: 1)
        let (none, demanded) = (situation(now: 1), situation(.demand, demanded: [unit(0)], now: 1))
        transfers.adjust(none)
        #expect(!leash.control.isUrgent)
        transfers.adjust(ahead)
        #expect(leash.control.isUrgent)
        ahead.isAheadCalm = true
        transfers.adjust(ahead)
        #expect(!leash.control.isUrgent && leash.calls == 0)
        transfers.adjust(demanded)
        #expect(leash.control.isUrgent && leash.calls == 1)
    }

    @Test("those that a player waits for ask for all of the unit, and the others for a piece")
    func pieces() async throws {
        let leash = TransferLeash()
        var transfers = RunningTransfers()
        transfers.begin(unit(0), leash: leash, file: try file(0), isForPlayer: false, now: 0)
        var found: [UInt64?] = []
        for demanded in [[], [unit(0)]] {
            var situation = situation(demanded: demanded, now: 1)
            situation.piece = 5000
            transfers.adjust(situation)
            found.append(await leash.turn(mayBePiece: true))
        }
        #expect(found == [5000, nil])
    }

    @Test("a pause ends after 45 seconds, although a player still waits for another unit")
    func longestPause() async throws {
        let leash = TransferLeash()
        _ = await leash.turn(mayBePiece: false)
        var transfers = RunningTransfers()
        transfers.begin(unit(0), leash: leash, file: try file(0), isForPlayer: false, now: 0)
        for (now, isPaused) in [(1.0, true), (46, true), (46.5, false), (50, false)] {
            transfers.adjust(situation(.demand, demanded: [unit(9)], now: now))
            #expect(leash.control.isPaused == isPaused, "at \(now)")
        }
    }

    @Test("the oldest go on beside a player that has enough ahead: a third of the usual number")
    func shared() async throws {
        var transfers = RunningTransfers()
        var leashes: [TransferLeash] = []
        for number in 0..<3 {
            let leash = TransferLeash()
            _ = await leash.turn(mayBePiece: false)
            transfers.begin(
                unit(number), leash: leash, file: try file(number), isForPlayer: false, now: Double(number))
            leashes.append(leash)
        }
        transfers.adjust(situation(.shared, now: 5))
        #expect(leashes.map(\.control.isPaused) == [false, false, true])
        transfers.adjust(situation(now: 6))
        #expect(leashes.map(\.control.isPaused) == [false, false, false])
    }
}
