/// The clock of media: ticks of 90 kHz, of which timestamps keep 33 bits (RFC 8216bis §3.1.4).
public enum MediaTicks {
    /// Ticks in a second.
    static let perSecond = 90_000.0
    /// Timestamps start again at 0 after 26.5 hours.
    static let wrap = 1 << 33
    /// Ticks that are reckoned with at most; sums of some of them do not overflow.
    private static let largest = 1e17

    /// The nearest number of ticks to a time in seconds: at most 10¹⁷ to either side; 0 for NaN.
    public static func ticks(_ seconds: Double) -> Int {
        let ticks = (seconds * perSecond).rounded()
        return ticks.isNaN ? 0 : Int(min(max(ticks, -largest), largest))
    }

    /// The ticks as a timestamp keeps them: 0 to 2³³ - 1.
    public static func wrapped(_ ticks: Int) -> Int { (ticks % wrap + wrap) % wrap }
}
