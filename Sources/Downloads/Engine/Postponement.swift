internal import Transfers

/// The time of the next try for an asset from the queue whose playlists could not be read: not before the time that
/// its origin named, else after 1, 2, 4, 8 and then 15 minutes; 8 tries in about an hour. An asset that lacks only
/// parts that it can do without is tried again once, after a minute. Pure: the time is passed in.
package struct Postponement {
    /// Tries that failed without a time to come back at.
    package private(set) var failures = 0
    /// Milliseconds of uptime before which it is not tried.
    package private(set) var until: Int64 = 0
    /// After so many of them it is given up.
    package static let tries = 8
    static let firstPause = 60.0
    static let longestPause = 900.0

    /// Makes a postponement without a failure.
    package init() {}

    /// Makes one pause for all kinds of failures.
    ///
    /// - Parameter now: milliseconds of uptime.
    package init(after error: StoreError, now: Int64) {
        until = Self.moment(now, after: max(error.holdOff ?? 0, Self.firstPause))
    }

    /// Judges a failure.
    ///
    /// - Parameter now: milliseconds of uptime.
    /// - Returns: whether there is hope.
    package mutating func failed(_ error: StoreError, now: Int64) -> Bool {
        guard error.isRetryable, Self.isOfOrigin(error) else { return false }
        let named = error.holdOff ?? 0
        // If the origin names a longer pause than any usual one, the failure is not counted.
        if named > RetryPolicy.longestPause {
            until = Self.moment(now, after: named)
            return true
        }
        failures += 1
        let pause = min(Self.longestPause, Self.firstPause * Double(1 << (failures - 1)))
        until = Self.moment(now, after: max(named, pause))
        return failures < Self.tries
    }

    /// Whether the error is the origin's. A mistyped address may have no origin at all.
    private static func isOfOrigin(_ error: StoreError) -> Bool {
        guard case .transfer(let failure) = error.code else { return true }
        return failure.cause.code != .resolve && failure.cause.code != .connect
    }

    private static func moment(_ now: Int64, after seconds: Double) -> Int64 { now + Int64(seconds * 1000) }
}
