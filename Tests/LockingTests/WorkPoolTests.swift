import Glibc
import Testing

@testable import Locking

@Suite("Threads for work that blocks", .timeLimit(.minutes(1)))
struct WorkPoolTests {
    /// How many jobs run, and how many ran at most at a time; jobs end when they may.
    private final class Gate: Sendable {
        private struct State {
            var running = 0
            var most = 0
            var done = 0
            var permits = 0
        }

        private let state = Lock(State())
        private let wake = Condition()

        var running: Int { state.withLock(\.running) }
        var most: Int { state.withLock(\.most) }
        var done: Int { state.withLock(\.done) }

        /// What a job does: it blocks its thread until it gets a permit.
        func pass() {
            state.withLock { state in
                state.running += 1
                state.most = max(state.most, state.running)
            }
            state.wait(on: wake) { state in
                guard state.permits > 0 else { return .never }
                state.permits -= 1
                state.running -= 1
                state.done += 1
                return nil
            }
        }

        func permit(_ count: Int = 1) {
            state.withLock { $0.permits += count }
            for _ in 0..<count { wake.signal() }
        }

        func until(_ isSo: (Gate) -> Bool) async throws {
            while !isSo(self) { try await Task.sleep(for: .milliseconds(1)) }
        }
    }

    @Test("are not started while one has nothing to do")
    func reuse() async throws {
        let pool = WorkPool(threads: 4)
        for number in 0..<20 {
            #expect(await pool.run { number } == number)
            while pool.threads.busy > 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(pool.threads.all == 1)
    }

    @Test("are started while all others are busy, up to the limit", arguments: [(0, 1), (1, 1), (3, 3)])
    func limit(_ wished: Int, _ threads: Int) async throws {
        let (pool, gate) = (WorkPool(threads: wished), Gate())
        let jobs = (0..<8).map { _ in Task(executorPreference: pool) { gate.pass() } }
        for done in 0..<8 {
            let running = min(threads, 8 - done)
            try await gate.until { $0.done == done && $0.running == running }
            gate.permit()
        }
        for job in jobs { await job.value }
        #expect(gate.most == threads)
    }

    @Test("are started for jobs that come one by one while the others are busy")
    func growth() async throws {
        let (pool, gate) = (WorkPool(threads: 3), Gate())
        var jobs: [Task<Void, Never>] = []
        for running in 1...3 {
            jobs.append(Task(executorPreference: pool) { gate.pass() })
            try await gate.until { $0.running == running }
        }
        gate.permit(3)
        for job in jobs { await job.value }
        // Who has done its job is no longer busy: all three take jobs again.
        let again = (0..<3).map { _ in Task(executorPreference: pool) { gate.pass() } }
        try await gate.until { $0.running == 3 }
        gate.permit(3)
        for job in again { await job.value }
        #expect(gate.most == 3 && gate.done == 6)
    }

    @Test("take the jobs in the order in which they came, however many wait")
    func order() async throws {
        let (pool, gate, ran) = (WorkPool(threads: 1), Gate(), Lock<[Int]>([]))
        let first = Task(executorPreference: pool) { gate.pass() }
        let others = (0..<5000).map { number in
            Task(executorPreference: pool) { ran.withLock { $0.append(number) } }
        }
        gate.permit()
        await first.value
        for job in others { await job.value }
        #expect(ran.withLock(\.self) == Array(0..<5000))
    }

    @Test("run a piece of work, and give its result or its error back")
    func work() async {
        let pool = WorkPool(threads: 1)
        let thread = await Task(executorPreference: pool) { pthread_self() }.value
        let (sum, other) = await pool.run { (3 + 4, pthread_self()) }
        #expect(sum == 7 && other == thread)
        await #expect(throws: CancellationError.self) {
            try await pool.run { () throws -> Int in throw CancellationError() }
        }
    }

    @Test("tell long work that it is wanted, until its task is cancelled")
    func wanted() async throws {
        let (pool, hasBegun) = (WorkPool(threads: 1), Lock(false))
        let task = Task {
            await pool.runWhileWanted { isWanted -> Bool in
                let wasWanted = isWanted()
                hasBegun.withLock { $0 = true }
                while isWanted() { usleep(1000) }
                return wasWanted
            }
        }
        while !hasBegun.withLock(\.self) { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        #expect(await task.value)
    }

    @Test("of an actor's own run its calls one by one, in one order")
    func serial() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { await counter.count() } }
        }
        #expect(await counter.value == 200)
    }

    private actor Counter {
        private nonisolated let thread = SerialWork("counter")
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }
        var value = 0

        func count() { value += 1 }
    }
}
