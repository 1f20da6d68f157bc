internal import Locking

/// The running recordings, with a closure that ends each.
package final class Recordings: Sendable {
    private let running = Lock<[AssetToken: @Sendable () -> Void]>([:])

    /// Registers a running recording. `stop` ends it; the segments that it has found are still fetched.
    func attach(_ token: AssetToken, stop: @escaping @Sendable () -> Void) {
        running.withLock { $0[token] = stop }
    }

    package func detach(_ token: AssetToken) { running.withLock { $0[token] = nil } }

    /// Ends a recording. The result is false if it does not run.
    package func stop(_ token: AssetToken) -> Bool {
        let stop = running.withLock { $0[token] }
        stop?()
        return stop != nil
    }
}
