import Dispatch
import Locking
import Testing

@Suite("A lock with a condition", .timeLimit(.minutes(1)))
struct LockTests {
    @Test("lets one thread at a time touch its value")
    func alone() {
        let lock = Lock(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<10_000 { lock.withLock { $0 += 1 } }
        }
        #expect(lock.withLock(\.self) == 40_000)
    }

    @Test("is free again after the work on the value has failed")
    func failure() {
        let lock = Lock(0)
        #expect(throws: CancellationError.self) { try lock.withLock { _ in throw CancellationError() } }
        #expect(lock.withLock(\.self) == 0)
    }

    @Test("wakes a waiter by a signal, and checks the condition again")
    func signal() {
        let (lock, wake) = (Lock(0), Condition())
        DispatchQueue.global().async {
            for _ in 0..<3 {
                lock.withLock { $0 += 1 }
                wake.signal()
            }
        }
        lock.wait(on: wake) { $0 < 3 ? .never : nil }
        #expect(lock.withLock(\.self) == 3)
    }

    @Test("does not wait if the condition holds already or the deadline has passed")
    func nothing() {
        let (lock, wake) = (Lock(0), Condition())
        lock.wait(on: wake) { _ in nil }
        lock.wait(on: wake) { count in
            count += 1
            return MonotonicTime(nanoseconds: 0)
        }
        #expect(lock.withLock(\.self) == 1)
    }

    @Test("waits until its deadline when there is no signal")
    func deadline() {
        let (lock, wake) = (Lock(0), Condition())
        let end = MonotonicTime.now + .milliseconds(30)
        lock.wait(on: wake) { _ in end }
        #expect(MonotonicTime.now >= end)
    }
}

@Suite("A moment of the monotonic clock")
struct MonotonicTimeTests {
    private func time(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }

    @Test("comes before later ones, and the last one comes before never")
    func order() {
        #expect(time(1) < time(2) && !(time(2) < time(2)) && !(time(2) < time(1)))
        #expect(time(.max - 1) < .never && !(MonotonicTime.never < .never))
        #expect(MonotonicTime.now > time(0))
    }

    @Test("is moved by a duration to the nanosecond")
    func sum() {
        #expect(time(5) + .nanoseconds(7) == time(12))
        #expect(time(5) + .seconds(2) + .milliseconds(3) == time(2_003_000_005))
        #expect(time(10) + .nanoseconds(-7) == time(3))
    }

    @Test("is never when it lies too far ahead")
    func never() {
        #expect(time(0) + .seconds(1 << 32) == .never)
        #expect(time(0) + .seconds((1 << 32) - 1) == time(((1 << 32) - 1) * 1_000_000_000))
        #expect(MonotonicTime.never + .nanoseconds(1) == .never)
        #expect(time(.max - 5) + .nanoseconds(5) == .never && time(.max - 5) + .nanoseconds(6) == .never)
    }
}
