import Glibc

/// State that several threads read and change, under a pthread mutex.
/// Sendable because `state` is reached only inside `withLock`.
@safe
final class Locked<State: Sendable>: @unchecked Sendable {
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init(_ state: State) {
        self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func withLock<Value, Failure: Error>(_ body: (inout State) throws(Failure) -> Value) throws(Failure)
        -> Value
    {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }
}
