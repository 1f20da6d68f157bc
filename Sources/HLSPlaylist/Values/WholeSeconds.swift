/// Whole seconds of a duration from 0 to 1,000,000,000. (`rounded()` would need the C math library.)
enum WholeSeconds {
    /// To the nearest; half a second is rounded up (RFC 8216bis §4.4.3.1).
    static func rounded(_ seconds: Double) -> Int { Int(seconds + 0.5) }

    static func roundedUp(_ seconds: Double) -> Int {
        let whole = Int(seconds)
        return Double(whole) < seconds ? whole + 1 : whole
    }
}
