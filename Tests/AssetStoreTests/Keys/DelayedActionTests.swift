import Locking
import Testing

@testable import AssetStore

@Suite("A timer for one action", .timeLimit(.minutes(1)))
struct DelayedActionTests {
    private let timer = DelayedAction()
    private let done = Lock<[String]>([])

    /// Has the timer note a name after so many seconds.
    private func note(_ name: String, in seconds: Double) {
        timer.schedule(in: seconds) { [done] in done.withLock { $0.append(name) } }
    }

    /// Waits for another timer that is set now, for longer than those of 0 s need.
    private func untilLater() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        DelayedAction().schedule(in: 0.2) { end.finish() }
        for await _ in ends {}
    }

    @Test("runs it when its time has come")
    func runs() async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        timer.schedule(in: 0) { end.finish() }
        for await _ in ends {}
    }

    @Test("does not run it before")
    func waits() async {
        note("late", in: 3600)
        await untilLater()
        timer.stop()
        #expect(done.withLock(\.self) == [])
    }

    @Test("runs the last one of several only")
    func last() async {
        note("first", in: 0.1)
        note("second", in: 0)
        await untilLater()
        #expect(done.withLock(\.self) == ["second"])
    }

    @Test("runs nothing while it rests, also nothing that is due")
    func rests() async {
        timer.rest(for: 3600)
        note("due", in: 0)
        await untilLater()
        timer.stop()
        #expect(done.withLock(\.self) == [])
    }

    @Test("runs nothing after it was stopped")
    func stopped() async {
        note("before", in: 0.1)
        timer.stop()
        note("behind", in: 0)
        await untilLater()
        #expect(done.withLock(\.self) == [])
    }

    @Test("tells how long it rests: until the time has come, and never less than nothing")
    func rest() {
        timer.rest(for: 3600)
        #expect(timer.rest > 3500 && timer.rest <= 3600)
        timer.rest(for: -1)
        #expect(timer.rest == 0)
    }
}
