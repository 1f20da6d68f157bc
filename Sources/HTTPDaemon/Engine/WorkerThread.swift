internal import Glibc

/// A thread for work that blocks and so must stay off the cooperative pool.
enum WorkerThread {
    private final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    /// Runs `work` on a new thread; if none can be made, on the calling thread.
    static func detach(_ work: @escaping @Sendable () -> Void) {
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
        guard failed == 0 else { return unsafe box.takeRetainedValue().work() }
        pthread_detach(thread)
    }
}
