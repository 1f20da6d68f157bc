extension Int64 {
    /// Seconds in ticks of 90 kHz, rounded by `rule`. A time that a stream makes up is limited to 2^60, so that sums of
    /// times stay within 64 bits.
    init(ticksOf seconds: Double, _ rule: FloatingPointRoundingRule = .towardZero) {
        self.init(Swift.min(0x1p60, Swift.max(-0x1p60, (seconds * 90_000).rounded(rule))))
    }
}
