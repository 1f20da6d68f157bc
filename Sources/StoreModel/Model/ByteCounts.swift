extension Int64 {
    /// The largest number of bytes in calculations. Origins may announce any number; sums of limited numbers do not
    /// overflow.
    static let largestSize: Int64 = 1 << 52

    /// A number of bytes that was reckoned: from 0 to `largestSize`.
    package init(bytes: Double) {
        self = bytes > 0 ? Int64(Swift.min(bytes, Double(Self.largestSize))) : 0
    }

    /// A number of bytes that an origin claims: `largestSize` at most.
    package init(claimed bytes: UInt64) { self = Swift.min(Int64(clamping: bytes), Self.largestSize) }

    /// A sum that stays below `largestSize`.
    package func adding(_ other: Int64) -> Int64 { Swift.min(self + other, Self.largestSize) }
}
