/// The locks that keep assets from starting, whatever their turn. Pure.
struct StartLocks {
    /// The queued assets that must not start yet.
    private(set) var held: Set<AssetToken> = []
    /// Assets whose addresses or renditions are being changed, and by how many.
    private var changes: [AssetToken: Int] = [:]

    /// The assets that are being changed.
    var changing: [AssetToken] { Array(changes.keys) }
    /// How many assets are held or being changed.
    var count: Int { held.count + changes.count }

    /// Whether an asset may start when its turn comes.
    func mayStart(_ token: AssetToken) -> Bool { !held.contains(token) && !isChanging(token) }

    /// Whether an asset is being changed: no unit is fetched then, since it might belong to the state before.
    func isChanging(_ token: AssetToken) -> Bool { changes[token] != nil }

    mutating func hold(_ tokens: [AssetToken]) { held.formUnion(tokens) }
    mutating func release(_ tokens: [AssetToken]) { held.subtract(tokens) }
    mutating func beginChange(of token: AssetToken) { changes[token, default: 0] += 1 }

    /// Ends one change of an asset.
    ///
    /// - Returns: whether it was the last one.
    mutating func endChange(of token: AssetToken) -> Bool {
        let left = changes[token, default: 1] - 1
        changes[token] = left > 0 ? left : nil
        return left <= 0
    }
}

/// Callers that wait for assets.
struct AssetWaiters {
    private var forEnd: [AssetToken: [CheckedContinuation<Void, Never>]] = [:]
    private var forPlaylists: [AssetToken: [AsyncStream<Void>.Continuation]] = [:]

    /// A caller waits until an asset neither runs nor waits for its turn.
    mutating func add(_ waiter: CheckedContinuation<Void, Never>, forEndOf token: AssetToken) {
        forEnd[token, default: []].append(waiter)
    }

    /// An asset neither runs nor waits for its turn.
    mutating func ended(_ token: AssetToken) {
        for waiter in forEnd.removeValue(forKey: token) ?? [] { waiter.resume() }
    }

    /// No asset runs any more.
    mutating func endedAll() {
        for waiter in forEnd.values.joined() { waiter.resume() }
        forEnd = [:]
    }

    /// Waits until the playlists of an asset have been read, or can't be read now.
    ///
    /// - Returns: a stream that ends at that time.
    mutating func playlists(of token: AssetToken) -> AsyncStream<Void> {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        forPlaylists[token, default: []].append(continuation)
        return ends
    }

    /// Whether a caller waits for the playlists of an asset.
    func waitsForPlaylists(of token: AssetToken) -> Bool { forPlaylists[token] != nil }

    /// Ends the waits for the playlists of an asset.
    ///
    /// - Returns: whether a caller was still waiting.
    @discardableResult
    mutating func readPlaylists(of token: AssetToken) -> Bool {
        var isAwaited = false
        for waiter in forPlaylists.removeValue(forKey: token) ?? [] {
            // A stream without a reader accepts nothing.
            if case .enqueued = waiter.yield() { isAwaited = true }
            waiter.finish()
        }
        return isAwaited
    }
}
