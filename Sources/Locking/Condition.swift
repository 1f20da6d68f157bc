internal import Glibc

/// A condition variable on the monotonic clock.
///
/// `@unchecked Sendable`: the pointee is only handed to pthread functions, which are made for it.
@safe public final class Condition: @unchecked Sendable {
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Makes a condition without waiters.
    public init() {
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

    /// Wakes one of the waiters.
    public func signal() {
        unsafe pthread_cond_signal(condition)
    }

    func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, until deadline: MonotonicTime) {
        guard deadline != .never else {
            unsafe pthread_cond_wait(condition, mutex)
            return
        }
        var time = deadline.timespec
        unsafe pthread_cond_timedwait(condition, mutex, &time)
    }
}
