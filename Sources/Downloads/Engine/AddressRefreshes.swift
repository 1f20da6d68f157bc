/// Counts the fresh addresses of assets that have brought no media since. Pure: the time is passed in, in
/// milliseconds of uptime.
struct AddressRefreshes {
    /// Why an asset is to get a fresh address.
    struct Refusal {
        let reason: StoreError
        /// Whether the asset fails if it gets no fresh address.
        let isFinal: Bool
    }

    private struct Refresh {
        /// The end of the last refresh; `nil` when its address may have expired.
        var end: Int64?
        var count = 0
    }

    /// Milliseconds after which a fresh address may have expired, too.
    private static let lifetime: Int64 = 60_000
    /// The number of addresses in a row that may expire before a refusal is final.
    private static let maximum = 3

    private var refreshes: [AssetToken: Refresh] = [:]

    /// Whether the last fresh address, if there was one, may have expired.
    func mayHaveExpired(_ token: AssetToken) -> Bool { refreshes[token]?.end == nil }

    /// Whether to ask for another address.
    func hasMore(_ token: AssetToken) -> Bool { refreshes[token, default: Refresh()].count < Self.maximum }

    /// Notes that a fresh address has come, or that there is none. A failure whose named pause is longer than any
    /// usual one is not counted.
    ///
    /// - Parameter reason: the reason for which there is none.
    mutating func ended(_ token: AssetToken, _ reason: StoreError?, now: Int64) {
        refreshes[token, default: Refresh()].end = now
        if (reason?.holdOff ?? 0) <= RetryPolicy.longestPause { refreshes[token]?.count += 1 }
    }

    /// Has a fresh address asked for again should the asset be refused again.
    mutating func expire(_ token: AssetToken) { refreshes[token]?.end = nil }

    /// Permits another request if the last address may have expired. The number is limited: the asset may wait as
    /// long each time.
    ///
    /// - Returns: whether the address may have expired.
    mutating func expireOld(_ token: AssetToken, now: Int64) -> Bool {
        guard hasMore(token), let end = refreshes[token]?.end, now - end > Self.lifetime else { return false }
        refreshes[token]?.end = nil
        return true
    }

    /// Forgets an asset that has brought media, or that the user has started again.
    mutating func forget(_ token: AssetToken) { refreshes[token] = nil }
}
