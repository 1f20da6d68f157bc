/// Limits of how fast bodies arrive, in bytes a second; nil means no limit. A transfer keeps to each limit that
/// applies to it.
public struct RateLimits: Sendable, Equatable {
    /// For all transfers of a loop together.
    public var total: UInt64?
    /// For the transfers of each origin (scheme, host and port) together.
    public var perHost: UInt64?
    /// For transfers of a group together, by the name that their requests have for it.
    public var groups: [String: UInt64] = [:]

    /// No limits.
    public init() {}

    /// Whether there is no limit.
    var isEmpty: Bool { total == nil && perHost == nil && groups.isEmpty }
}

/// The host and the group whose rate limits a transfer keeps to.
struct RatePayer: Hashable {
    var host: String
    var group: String?
}

/// The bytes that the transfers of a loop may take now, and the time at which they may take more. Pure: the time, in
/// nanoseconds of a monotonic clock, is passed in.
struct RateAccounts {
    private enum Account: Hashable {
        case total
        case host(String)
        case group(String)
    }

    private(set) var limits: RateLimits
    private var buckets: [Account: TokenBucket] = [:]
    /// The number of accounts above which full accounts are removed. A full account is the same as a new one.
    private static let largestCount = 256

    init(_ limits: RateLimits) { self.limits = limits }

    mutating func setLimits(_ limits: RateLimits, now: UInt64) {
        self.limits = limits
        for account in Array(buckets.keys) {
            if let rate = rate(of: account) {
                buckets[account]?.setRate(rate, now: now)
            } else {
                buckets[account] = nil
            }
        }
    }

    /// How many accounts are kept.
    var count: Int { buckets.count }

    /// The lowest rate that applies to a transfer; nil without one.
    func lowestRate(for payer: RatePayer) -> UInt64? { accounts(of: payer).compactMap(rate).min() }

    /// Whether a transfer may receive now.
    mutating func mayReceive(_ payer: RatePayer, now: UInt64) -> Bool {
        guard !limits.isEmpty else { return true }
        return accounts(of: payer).allSatisfy { account in
            refill(account, now: now)
            return buckets[account]?.isEmpty != true
        }
    }

    /// Counts received bytes.
    ///
    /// - Parameter isUrgent: whether a player waits for the bytes. Such bytes are received regardless of the limits,
    ///   and then delay other transfers, but not for long.
    mutating func take(_ count: Int, _ payer: RatePayer, isUrgent: Bool, now: UInt64) {
        guard !limits.isEmpty else { return }
        for account in accounts(of: payer) {
            refill(account, now: now)
            buckets[account]?.take(count, isUrgent: isUrgent)
        }
    }

    /// Milliseconds until a transfer may receive again, as far as is known now.
    func wait(_ payer: RatePayer) -> Int32 { accounts(of: payer).compactMap { buckets[$0]?.wait }.max() ?? 0 }

    private func accounts(of payer: RatePayer) -> [Account] {
        var accounts: [Account] = []
        if limits.total != nil { accounts.append(.total) }
        if limits.perHost != nil { accounts.append(.host(payer.host)) }
        if let group = payer.group, limits.groups[group] != nil { accounts.append(.group(group)) }
        return accounts
    }

    private func rate(of account: Account) -> UInt64? {
        switch account {
        case .total: limits.total
        case .host: limits.perHost
        case .group(let name): limits.groups[name]
        }
    }

    private mutating func refill(_ account: Account, now: UInt64) {
        guard buckets[account] == nil else {
            buckets[account]?.refill(now: now)
            return
        }
        if buckets.count >= Self.largestCount {
            for account in Array(buckets.keys) { buckets[account]?.refill(now: now) }
            buckets = buckets.filter { !$0.value.isFull }
        }
        buckets[account] = TokenBucket(rate: rate(of: account), now: now)
    }
}
