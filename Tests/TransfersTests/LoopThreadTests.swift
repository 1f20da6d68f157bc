import Dispatch
import Locking
import Testing

@testable import Transfers

@Suite("The end of a thread")
struct LoopThreadTests {
    @Test("is waited for without another thread being held")
    func waited() async throws {
        let (gate, isOpened) = (DispatchSemaphore(value: 0), Lock(false))
        let started = LoopThread {
            // A waiter that held its thread would never come to open the gate.
            let isInTime = gate.wait(timeout: .now() + 30) == .success
            isOpened.withLock { $0 = isInTime }
        }
        let thread = try #require(started)
        let waiter = Task.immediate { await thread.join() }
        gate.signal()
        await waiter.value
        #expect(isOpened.withLock { $0 })
    }
}
