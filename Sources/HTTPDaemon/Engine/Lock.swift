internal import Glibc

/// A mutex around a value. A pthread mutex, because ThreadSanitizer on Linux understands it.
///
/// `@unchecked Sendable`: `value` is touched only while the mutex is held.
@safe final class Lock<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: Value) {
        self.value = value
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Waits on `condition` until `isDone` or the clock shows `deadline`; `isDone` runs under the lock.
    func wait(on condition: Condition, until isDone: (inout Value) -> MonotonicTime?) {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while let deadline = isDone(&value), deadline > .now {
            unsafe condition.wait(mutex, until: deadline)
        }
    }
}

/// A condition variable on the monotonic clock.
///
/// `@unchecked Sendable`: the pointee is only handed to pthread functions, which are made for it.
@safe final class Condition: @unchecked Sendable {
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe condition.deallocate()
    }

    func signal() {
        unsafe pthread_cond_signal(condition)
    }

    fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, until deadline: MonotonicTime) {
        guard deadline != .never else {
            unsafe pthread_cond_wait(condition, mutex)
            return
        }
        var time = deadline.timespec
        unsafe pthread_cond_timedwait(condition, mutex, &time)
    }
}
