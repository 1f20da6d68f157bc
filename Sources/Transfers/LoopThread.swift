import Glibc
import Locking

/// A thread whose end can be awaited.
final class LoopThread: Sendable {
    fileprivate struct State: Sendable {
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    fileprivate final class Body: Sendable {
        let state = Lock(State())
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }

        func callAsFunction() {
            run()
            let waiters = state.withLock { state in
                state.hasEnded = true
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    private let body: Body
    /// The thread, until it is joined.
    private let identifier: Lock<pthread_t?>

    /// Starts `run` on a new thread; nil if none can be made.
    init?(_ run: @escaping @Sendable () -> Void) {
        body = Body(run)
        let context = unsafe Unmanaged.passRetained(body)
        var thread = pthread_t()
        let code = unsafe pthread_create(&thread, nil, { unsafe runBody($0) }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            return nil
        }
        identifier = Lock(thread)
    }

    deinit {
        if let thread = identifier.withLock({ $0 }) { pthread_detach(thread) }
    }

    /// Waits for the thread's end without blocking the caller's thread, then joins it.
    func join() async {
        await withCheckedContinuation { continuation in
            let hasEnded = body.state.withLock { state in
                if !state.hasEnded { state.waiters.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
        let thread = identifier.withLock { identifier in
            defer { identifier = nil }
            return identifier
        }
        if let thread { _ = pthread_join(thread, nil) }
    }
}

private func runBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe Unmanaged<LoopThread.Body>.fromOpaque(context).takeRetainedValue()()
    return nil
}
