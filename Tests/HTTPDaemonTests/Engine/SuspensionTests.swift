import Locking
import Testing

@testable import HTTPDaemon

@Suite("A suspension")
struct SuspensionTests {
    @Test("is resumed once, however often it is woken")
    func once() {
        var suspension = Suspension()
        suspension.willRead()
        let steps = [suspension.rest(until: .never), suspension.wake(), suspension.wake()]
        #expect(steps == [true, true, false])
    }

    @Test("does not begin when the wake came first")
    func wakeFirst() {
        var suspension = Suspension()
        suspension.willRead()
        let tooEarly = [suspension.wake(), suspension.rest(until: .never)]
        #expect(tooEarly == [false, false])
        suspension.willRead()
        let again = suspension.rest(until: .never)
        #expect(again)
    }

    @Test("never begins again once abandoned")
    func abandoned() {
        var suspension = Suspension()
        let steps = [suspension.rest(until: .never), suspension.abandon()]
        suspension.willRead()
        let again = suspension.rest(until: .never)
        #expect(steps == [true, true])
        #expect(!again)
    }

    @Test("is not resumed after its end")
    func ended() {
        var suspension = Suspension()
        suspension.end()
        let steps = [suspension.wake(), suspension.abandon(), suspension.rest(until: .never)]
        #expect(steps == [false, false, false])
    }
}
