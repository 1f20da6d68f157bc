internal import Locking

/// The recordings that run, so that they can be told to end.
package final class Recordings: Sendable {
    private let running = Lock<[AssetToken: @Sendable () -> Void]>([:])

    /// Registers a running recording; `stop` ends it, and lets its findings be fetched.
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
