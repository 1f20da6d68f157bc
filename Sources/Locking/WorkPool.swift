internal import Dispatch
internal import Glibc

/// A pool of threads for tasks that block: on SQLite, on the file system, on a lock.
///
/// Swift's cooperative pool has only as many threads as the machine has processors. With two processors, two commits
/// that flush would block every other task. A task that is made with a pool as its preference runs there, and so do the
/// asynchronous functions and child tasks that it calls, except on actors with executors of their own:
///
///     Task(executorPreference: pool) { await answer(request) }
@safe public final class WorkPool: TaskExecutor {
    private struct State {
        /// The jobs that came last, in order.
        var new: [UnownedJob] = []
        /// The jobs that come before them, the next one last.
        var next: [UnownedJob] = []
        var threads = 0
        var busy = 0

        var waiting: Int { new.count + next.count }

        mutating func take() -> UnownedJob? {
            if next.isEmpty {
                swap(&next, &new)
                next.reverse()
            }
            return next.popLast()
        }
    }

    private let state = Lock(State())
    private let wake = Condition()
    private let limit: Int

    /// Makes a pool.
    ///
    /// - Parameter threads: the largest number of threads, 1 or more. A thread is started when all others are busy, and
    ///   is kept.
    public init(threads: Int) { limit = max(1, threads) }

    /// The threads, and those of them that run a job.
    var threads: (all: Int, busy: Int) { state.withLock { ($0.threads, $0.busy) } }

    /// Runs a job on one of the threads, after those that came before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let grows = state.withLock { state in
            state.new.append(unowned)
            let isShort = state.waiting > state.threads - state.busy && state.threads < limit
            if isShort { state.threads += 1 }
            return isShort
        }
        if grows, !startThread() {
            state.withLock { $0.threads -= 1 }
            // No thread could be started: a thread of Dispatch runs the waiting jobs.
            DispatchQueue.global().async { self.drain() }
        } else {
            wake.signal()
        }
    }

    private func startThread() -> Bool {
        var thread = pthread_t()
        let pool = unsafe Unmanaged.passRetained(self)
        let status = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { preconditionFailure("a thread without a pool") }
                unsafe Unmanaged<WorkPool>.fromOpaque(context).takeRetainedValue().work()
            }, pool.toOpaque())
        guard status == 0 else {
            unsafe pool.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func work() -> Never {
        while true {
            var job: UnownedJob?
            state.wait(on: wake) { state in
                job = state.take()
                if job != nil { state.busy += 1 }
                return job == nil ? .never : nil
            }
            unsafe job?.runSynchronously(on: asUnownedTaskExecutor())
            state.withLock { $0.busy -= 1 }
        }
    }

    private func drain() {
        while let job = state.withLock({ $0.take() }) {
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// An executor for an actor whose calls block: the actor's jobs run one at a time, outside of Swift's cooperative pool.
///
///     private nonisolated let thread = SerialWork("downloads")
///     nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
public final class SerialWork: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor that runs one job at a time.
    ///
    /// - Parameter label: its name in debuggers.
    public init(_ label: String) { queue = DispatchQueue(label: label) }

    /// Runs a job after those that came before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async { unsafe unowned.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

extension WorkPool {
    /// Runs blocking work on one of the threads.
    public func run<Value: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withTaskExecutorPreference(self) { () async throws(Failure) -> Value in try work() }
    }

    /// Runs long blocking work on one of the threads; `isWanted` tells whether the task is not cancelled yet.
    public func runWhileWanted<Value: Sendable, Failure: Error>(
        _ work: @Sendable (_ isWanted: () -> Bool) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withTaskExecutorPreference(self) { () async throws(Failure) -> Value in
            try work { !Task.isCancelled }
        }
    }
}
