/// Arithmetic with times.
enum Ticks {
    /// The largest time: sums and differences of times stay within 64 bits.
    private static let largest = Int64(1) << 60

    /// A time in another timescale, rounded towards zero.
    static func scaled(_ value: Int64, from: UInt32, to: UInt32) -> Int64 {
        guard from != to, from > 0 else { return value }
        let (seconds, rest) = value.quotientAndRemainder(dividingBy: Int64(from))
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: Int64(to))
        guard !isBeyond else { return value < 0 ? -largest : largest }
        // Both numbers have 32 bits.
        let part = Int64(rest.magnitude * UInt64(to) / UInt64(from))
        return limited(limited(whole) + (rest < 0 ? -part : part))
    }

    /// A time that is no larger than times can be.
    static func limited(_ time: Int64) -> Int64 { min(max(time, -largest), largest) }

    /// The nearest tick to a number of seconds.
    static func nearest(_ seconds: Double, _ timescale: UInt32) -> Int64 {
        whole(seconds * Double(timescale))
    }

    /// The nearest whole number, limited to 62 bits.
    static func whole(_ value: Double) -> Int64 {
        let value = min(max(value, -4e18), 4e18)
        return Int64(value < 0 ? value - 0.5 : value + 0.5)
    }
}
