import Foundation

/// Runs what blocks on a thread of its own, so that the tests' few threads stay free.
public func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread {
            receiveSignals()
            continuation.resume(with: Result(catching: body))
        }.start()
    }
}

/// Clears the thread's signal mask: programs inherit it, and one that blocks SIGTERM could not be stopped.
private func receiveSignals() {
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
}
