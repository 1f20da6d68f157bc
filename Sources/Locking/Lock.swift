internal import Glibc

/// A value that one thread at a time may touch.
///
/// It is a pthread mutex and not `Synchronization.Mutex`, because the thread sanitizer knows the former.
/// `@unchecked Sendable`: the value is touched under the mutex only.
@safe public final class Lock<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Takes over `value`.
    public init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value. It must not block, nor take the same lock again.
    public func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Waits on `condition` until `isDone` returns `nil` or the clock shows the moment that it returned; `isDone`
    /// runs alone with the value.
    public func wait(on condition: Condition, until isDone: (inout Value) -> MonotonicTime?) {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while let deadline = isDone(&value), deadline > .now {
            unsafe condition.wait(mutex, until: deadline)
        }
    }
}
