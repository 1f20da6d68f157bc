internal import Locking

/// The recordings that run, so that they can be told to end, and who is told of keys that come up in them.
package final class Recordings: Sendable {
    private let running = Lock<[AssetToken: @Sendable () -> Void]>([:])
    private let taker = Lock<(@Sendable (AssetToken, [KeyRecord]) -> Void)?>(nil)

    /// Calls `body` when keys have come up that are to be asked for again at some time.
    package func onKeys(_ body: @escaping @Sendable (AssetToken, [KeyRecord]) -> Void) {
        taker.withLock { $0 = body }
    }

    /// Keys have come up.
    package func entered(_ keys: [KeyRecord], of token: AssetToken) {
        let noted = keys.filter { $0.renewAt != nil }
        if !noted.isEmpty { taker.withLock(\.self)?(token, noted) }
    }

    /// A recording runs; `stop` ends it, and lets what it has found be fetched.
    func attach(_ token: AssetToken, stop: @escaping @Sendable () -> Void) {
        running.withLock { $0[token] = stop }
    }

    package func detach(_ token: AssetToken) { running.withLock { $0[token] = nil } }

    /// Ends a recording; whether it runs.
    package func stop(_ token: AssetToken) -> Bool {
        let stop = running.withLock { $0[token] }
        stop?()
        return stop != nil
    }
}
