import Glibc

/// Keeps the transfers of a loop to their limits. A transfer that may not receive pauses; the loop resumes it when it
/// may again. On the loop's thread only.
final class RateLimiter {
    private var accounts: RateAccounts
    private(set) var paused: [Transfer] = []

    init(_ limits: RateLimits) { accounts = RateAccounts(limits) }

    func setLimits(_ limits: RateLimits) { accounts.setLimits(limits, now: RateLimiter.now) }

    /// The lowest rate that a transfer keeps to; nil when it is free.
    func rate(for transfer: Transfer) -> UInt64? { accounts.lowestRate(for: transfer.payer) }

    /// Whether a transfer may receive now. A decoded body is never paused: libcurl would have to keep the whole
    /// decompressed content of a buffer. Its bytes delay later transfers instead.
    func mayReceive(_ transfer: Transfer, isEncoded: Bool) -> Bool {
        if isEncoded || accounts.limits.isEmpty { return true }
        if accounts.mayReceive(transfer.payer, now: RateLimiter.now) { return true }
        paused.append(transfer)
        return false
    }

    func take(_ count: Int, _ transfer: Transfer) {
        guard !accounts.limits.isEmpty else { return }
        accounts.take(count, transfer.payer, isUrgent: transfer.isUrgent, now: RateLimiter.now)
    }

    /// The transfers that may go on now.
    func resumable() -> [Transfer] {
        guard !paused.isEmpty else { return [] }
        let now = RateLimiter.now
        var free: [Transfer] = []
        paused.removeAll { transfer in
            guard accounts.mayReceive(transfer.payer, now: now) else { return false }
            free.append(transfer)
            return true
        }
        return free
    }

    /// Milliseconds until a paused transfer may continue; nil without one.
    var wait: Int32? { paused.map { accounts.wait($0.payer) }.min() }

    func forget(_ transfer: Transfer) { paused.removeAll { $0 === transfer } }

    private static var now: UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
