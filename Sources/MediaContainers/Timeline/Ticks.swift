/// Arithmetic with times.
enum Ticks {
    /// A time in another timescale, rounded down; exact within 64 bits.
    static func scaled(_ value: Int64, from: UInt32, to: UInt32) -> Int64 {
        guard from != to, from > 0 else { return value }
        let (seconds, rest) = value.quotientAndRemainder(dividingBy: Int64(from))
        return seconds &* Int64(to) &+ rest * Int64(to) / Int64(from)
    }

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
