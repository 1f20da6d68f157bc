/// How often fresh addresses were asked for, of assets from which nothing has come since. Pure: the time is passed in,
/// in milliseconds of uptime.
struct AddressRefreshes {
    /// Why an asset is to get a fresh address.
    struct Refusal {
        let reason: StoreError
        /// Whether the asset fails without a fresh address.
        let isFinal: Bool
    }

    private struct Refresh {
        /// The end of the last refresh; `nil` when its address may have expired.
        var end: Int64?
        var count = 0
    }

    /// Milliseconds after which a fresh address that was asked for may have expired, too.
    private static let lifetime: Int64 = 60_000
    /// How many addresses in a row may expire before what is refused counts as refused for good.
    private static let maximum = 3

    private var refreshes: [AssetToken: Refresh] = [:]

    /// Whether the last address that was asked for, if any, may have expired.
    func mayHaveExpired(_ token: AssetToken) -> Bool { refreshes[token]?.end == nil }

    /// Whether another address may be asked for.
    func hasMore(_ token: AssetToken) -> Bool { refreshes[token, default: Refresh()].count < Self.maximum }

    /// A fresh address has come, or there is none. A time that was not even waited for says nothing of how often there was
    /// none.
    ///
    /// - Parameter reason: why there is none.
    mutating func ended(_ token: AssetToken, _ reason: StoreError?, now: Int64) {
        refreshes[token, default: Refresh()].end = now
        if (reason?.holdOff ?? 0) <= RetryPolicy.longestPause { refreshes[token]?.count += 1 }
    }

    /// Has a fresh address asked for again should the asset be refused again.
    mutating func expire(_ token: AssetToken) { refreshes[token]?.end = nil }

    /// Has an address that is not quite fresh any more asked for again. Not without end: the asset may wait as long each
    /// time.
    ///
    /// - Returns: whether it is such a one.
    mutating func expireOld(_ token: AssetToken, now: Int64) -> Bool {
        guard hasMore(token), let end = refreshes[token]?.end, now - end > Self.lifetime else { return false }
        refreshes[token]?.end = nil
        return true
    }

    /// Something has come from the asset, or somebody asks for it again.
    mutating func forget(_ token: AssetToken) { refreshes[token] = nil }
}
