/// Seconds of a monotonic clock, which nobody can set.
package enum SteadyClock {
    package static var seconds: Double {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: origin).components
        return -(Double(seconds) + Double(attoseconds) / 1e18)
    }

    private static let origin = ContinuousClock.now
}
