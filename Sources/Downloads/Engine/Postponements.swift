/// Queued assets whose playlists or optional renditions could not be fetched, with the times of their next tries.
/// Pure: the time is passed in, in milliseconds of uptime.
struct Postponements {
    private var byAsset: [AssetToken: Postponement] = [:]

    subscript(token: AssetToken) -> Postponement? { byAsset[token] }

    /// Whether an asset was postponed and not started by the user since.
    func contains(_ token: AssetToken) -> Bool { byAsset[token] != nil }

    /// Whether an asset's postponement is still running.
    func isOpen(_ token: AssetToken, now: Int64) -> Bool { byAsset[token].map { $0.until > now } ?? false }

    /// Postpones an asset once, whatever has failed.
    mutating func postpone(_ token: AssetToken, after error: StoreError, now: Int64) {
        byAsset[token] = Postponement(after: error, now: now)
    }

    /// Judges that the playlists of an asset could not be read; without hope it is not postponed any more.
    mutating func failed(_ token: AssetToken, _ error: StoreError, now: Int64) {
        var postponement = byAsset[token] ?? Postponement()
        byAsset[token] = postponement.failed(error, now: now) ? postponement : nil
    }

    /// Ends the postponement of an asset.
    mutating func forget(_ token: AssetToken) { byAsset[token] = nil }
}
