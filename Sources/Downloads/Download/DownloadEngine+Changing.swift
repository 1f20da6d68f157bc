/// While the addresses or the renditions of an asset are being changed, nothing of it is fetched: it would be what was
/// meant before.
extension DownloadEngine {
    /// Keeps an asset from starting, also for players, until `endChange`. Several may change it at once.
    package func beginChange(of token: AssetToken) { changing[token, default: 0] += 1 }

    /// Lets an asset start. What is asked for anew is tried anew; players that have waited have what they want looked
    /// for again, if nothing runs for them now, and those who wait for its playlists have them read.
    ///
    /// - Parameter syncs: whether what is queued begins, as far as there are places.
    package func endChange(of token: AssetToken, syncs: Bool = true) {
        let left = changing[token, default: 1] - 1
        changing[token] = left > 0 ? left : nil
        postponed[token] = nil
        if syncs { sync() }
        guard left <= 0 else { return }
        resolveAwaited(token)
        guard running[token] == nil else { return }
        context.arriving.abandonAll(of: token)
        settle(token)
    }

    /// Whether nothing keeps an asset from starting when its turn comes.
    func mayStart(_ token: AssetToken) -> Bool { !held.contains(token) && changing[token] == nil }
}
