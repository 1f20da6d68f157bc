internal import Glibc

/// A thread for work that blocks and so must stay off the cooperative pool.
enum WorkerThread {
    private final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    /// Runs `work` on a new thread; if none can be made, on the calling thread.
    static func detach(_ work: @escaping @Sendable () -> Void) {
        if begin(work) != 0 { work() }
    }

    /// Runs `work` on a new thread.
    ///
    /// - Returns: 0, or the error for which no thread could be made (pthread_create(3)); `work` does not run then.
    static func begin(_ work: @escaping @Sendable () -> Void) -> Int32 {
        var thread = pthread_t()
        let box = unsafe Unmanaged.passRetained(Box(work))
        let failed = unsafe pthread_create(
            &thread, nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work()
                }
                return nil
            }, box.toOpaque())
        if failed == 0 { pthread_detach(thread) } else { unsafe box.release() }
        return failed
    }
}
