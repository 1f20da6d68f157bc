/// The bytes of the last seconds, for a rate that falls to nothing when no more bytes arrive. Pure: the time is
/// passed in.
package struct SpeedWindow: Sendable {
    /// Seconds that a speed is measured over.
    package static let span = 3.0
    private static let slot = 0.25
    private static let slots = Int(span / slot)

    /// Bytes since the beginning.
    package private(set) var total: UInt64 = 0
    private var counts = [UInt64](repeating: 0, count: slots)
    /// The slot of time that bytes go into now.
    private var newest: Int
    private let began: Double
    /// The time of the last bytes, or of the beginning.
    package private(set) var last: Double

    /// - Parameter now: when it begins, in seconds of the steady clock.
    package init(now: Double) { (began, last, newest) = (now, now, Int(now / Self.slot)) }

    /// Notes bytes that came.
    package mutating func add(_ bytes: UInt64, now: Double) {
        advance(now)
        total += bytes
        last = max(last, now)
        counts[newest % Self.slots] += bytes
    }

    /// Bytes per second; `nil` if none came lately, and in the first second.
    package mutating func speed(now: Double) -> Double? {
        advance(now)
        let recent = counts.reduce(0, +)
        guard recent > 0, now - began >= 1 else { return nil }
        let covered = now - Double(newest - Self.slots + 1) * Self.slot
        return Double(recent) / min(covered, now - began)
    }

    private mutating func advance(_ now: Double) {
        let current = Int(now / Self.slot)
        guard current > newest else { return }
        for slot in max(newest + 1, current - Self.slots + 1)...current { counts[slot % Self.slots] = 0 }
        newest = current
    }
}
