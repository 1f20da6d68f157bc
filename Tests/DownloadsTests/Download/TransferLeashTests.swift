import Locking
import Testing
import Transfers

@testable import Downloads

@Suite("The leash of a transfer", .timeLimit(.minutes(1)))
struct TransferLeashTests {
    private let leash = TransferLeash()

    @Test("keeps a paused transfer from its next request, and then tells how much to ask for")
    func waits() async {
        let hasTurn = Lock(false)
        leash.set(isUrgent: false, isPaused: true, piece: nil)
        let task = Task { [leash] in
            let piece = await leash.turn(mayBePiece: true)
            hasTurn.withLock { $0 = true }
            return piece
        }
        for _ in 0..<1000 { await Task.yield() }
        let wasEarly = hasTurn.withLock(\.self)
        #expect(!wasEarly)
        leash.set(isUrgent: false, isPaused: false, piece: 5000)
        let piece = await task.value
        #expect(piece == 5000 && !leash.isWhole)
    }

    @Test("lets a cancelled transfer go although it is paused")
    func cancelled() async {
        leash.set(isUrgent: false, isPaused: true, piece: 5000)
        let task = Task { [leash] in await leash.turn(mayBePiece: true) }
        task.cancel()
        #expect(await task.value == 5000)
    }

    @Test("allows a piece only where a range may be asked for")
    func pieces() async {
        leash.set(isUrgent: false, isPaused: false, piece: 5000)
        let whole = await leash.turn(mayBePiece: false)
        #expect(whole == nil && leash.isWhole)
        leash.rest()
        #expect(!leash.isWhole)
        let piece = await leash.turn(mayBePiece: true)
        #expect(piece == 5000 && !leash.isWhole)
    }

    @Test("pauses a request for all bytes, and no piece")
    func pauses() async {
        _ = await leash.turn(mayBePiece: false)
        leash.set(isUrgent: true, isPaused: true, piece: nil)
        #expect(leash.control.isPaused && leash.control.isUrgent)
        leash.set(isUrgent: false, isPaused: false, piece: 5000)
        #expect(!leash.control.isPaused && !leash.control.isUrgent)
        _ = await leash.turn(mayBePiece: true)
        leash.set(isUrgent: false, isPaused: true, piece: 5000)
        #expect(!leash.control.isPaused)
    }

    @Test("tells once that it broke a request off, and nothing of it after the next one")
    func interruption() async {
        #expect(!leash.takeInterruption())
        leash.interrupt()
        let answers = [leash.takeInterruption(), leash.takeInterruption()]
        #expect(answers == [true, false])
        leash.interrupt()
        _ = await leash.turn(mayBePiece: false)
        #expect(!leash.takeInterruption())
    }

    @Test("counts how often a player has begun to wait")
    func calls() async {
        for isWaitedFor in [false, true, true, false, true] {
            leash.set(isUrgent: true, isWaitedFor: isWaitedFor, isPaused: false, piece: nil)
        }
        #expect(leash.calls == 2)
        #expect(await leash.untilWaitedFor(after: 1) == true)
    }

    @Test("ends the wait for a player when the task is cancelled")
    func noPlayer() async {
        let task = Task { [leash] in await leash.untilWaitedFor(after: 0) }
        task.cancel()
        #expect(await task.value == nil)
    }
}
