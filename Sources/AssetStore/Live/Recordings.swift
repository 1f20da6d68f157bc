internal import Locking

/// The recordings that run, so that they can be told to end.
final class Recordings: Sendable {
    private let running = Lock<[AssetToken: @Sendable () -> Void]>([:])
    private let renewer = Lock<(@Sendable () -> Void)?>(nil)

    /// Calls `body` when keys have come up that are to be asked for again at some time.
    func onRenewals(_ body: @escaping @Sendable () -> Void) { renewer.withLock { $0 = body } }

    /// Keys have come up.
    func entered(_ keys: [KeyRecord]) {
        if keys.contains(where: { $0.renewAt != nil }) { renewer.withLock(\.self)?() }
    }

    /// A recording runs; `stop` ends it, and lets what it has found be fetched.
    func attach(_ token: AssetToken, stop: @escaping @Sendable () -> Void) {
        running.withLock { $0[token] = stop }
    }

    func detach(_ token: AssetToken) { running.withLock { $0[token] = nil } }

    /// Ends a recording; whether it runs.
    func stop(_ token: AssetToken) -> Bool {
        let stop = running.withLock { $0[token] }
        stop?()
        return stop != nil
    }
}
