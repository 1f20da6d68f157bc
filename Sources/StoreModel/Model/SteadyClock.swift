/// Seconds on a clock that nobody sets.
package enum SteadyClock {
    package static var seconds: Double {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: origin).components
        return -(Double(seconds) + Double(attoseconds) / 1e18)
    }

    private static let origin = ContinuousClock.now
}
