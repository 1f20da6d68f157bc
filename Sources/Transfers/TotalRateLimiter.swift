import Glibc

/// One rate for all transfers of a loop. A transfer that finds no tokens pauses; the loop resumes it when there are
/// some again. On the loop's thread only.
final class TotalRateLimiter {
    private var bucket: TokenBucket
    private(set) var paused: [Transfer] = []

    init(rate: UInt64?) { bucket = TokenBucket(rate: rate, now: TotalRateLimiter.now) }

    var rate: UInt64? { bucket.rate }

    func setRate(_ rate: UInt64?) { bucket.setRate(rate, now: TotalRateLimiter.now) }

    /// Whether a transfer may receive now. A decoded body is never paused: libcurl would have to keep all that a
    /// compressed buffer unpacks to; its bytes are paid for by those that follow.
    func mayReceive(_ transfer: Transfer, isEncoded: Bool) -> Bool {
        guard bucket.rate != nil, bucket.isEmpty, !isEncoded else { return true }
        paused.append(transfer)
        return false
    }

    func take(_ count: Int) { bucket.take(count) }

    /// The transfers that may go on, as far as there are tokens.
    func resumable() -> [Transfer] {
        guard !paused.isEmpty else { return [] }
        bucket.refill(now: TotalRateLimiter.now)
        guard !bucket.isEmpty else { return [] }
        defer { paused = [] }
        return paused
    }

    /// Milliseconds until paused transfers may go on; nil when none is paused.
    var wait: Int32? { paused.isEmpty ? nil : bucket.wait }

    func forget(_ transfer: Transfer) { paused.removeAll { $0 === transfer } }

    private static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
