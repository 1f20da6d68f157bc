/// A rate limit: bytes may be taken while tokens are left. One chunk may take more; then the bucket waits until the
/// debt is paid.
struct TokenBucket {
    /// Bytes a second; nil means no limit.
    private(set) var rate: UInt64?
    private var tokens: Double = 0
    private var filled: UInt64

    /// A bucket that starts with a tenth of a second's tokens. `now` is in nanoseconds.
    init(rate: UInt64?, now: UInt64) {
        self.rate = rate
        filled = now
        tokens = capacity
    }

    var isEmpty: Bool { rate != nil && tokens <= 0 }

    private var capacity: Double { max(Double(rate ?? 0) / 10, 1) }

    mutating func setRate(_ newRate: UInt64?, now: UInt64) {
        refill(now: now)
        rate = newRate
        tokens = min(tokens, capacity)
    }

    mutating func refill(now: UInt64) {
        guard let rate, now > filled else {
            filled = now
            return
        }
        tokens = min(capacity, tokens + Double(now - filled) * Double(rate) / 1e9)
        filled = now
    }

    /// Whether the bucket is full.
    var isFull: Bool { rate == nil || tokens >= capacity }

    /// - Parameter isUrgent: whether the bytes came whatever the limit: then the debt is not more than a second's.
    mutating func take(_ count: Int, isUrgent: Bool = false) {
        guard let rate else { return }
        let left = tokens - Double(count)
        tokens = isUrgent ? max(left, min(tokens, -Double(rate))) : left
    }

    /// Milliseconds until there are tokens again, 5...1000.
    var wait: Int32 {
        guard let rate, tokens <= 0 else { return 5 }
        return Int32(min(max((1 - tokens) * 1000 / Double(max(rate, 1)), 5), 1000))
    }
}
