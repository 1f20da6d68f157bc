internal import Locking

/// Assets that are being copied from their folders again: nothing frees what is stored of them meanwhile, though they
/// are still cancelled.
final class ReturningAssets: Sendable {
    /// How many are at it.
    private let counts = Lock<[AssetToken: Int]>([:])

    var tokens: Set<AssetToken> { counts.withLock { Set($0.keys) } }

    func contains(_ token: AssetToken) -> Bool { counts.withLock { $0[token] != nil } }

    func begin(_ token: AssetToken) { counts.withLock { $0[token, default: 0] += 1 } }

    func end(_ token: AssetToken) {
        counts.withLock { counts in
            let left = counts[token, default: 1] - 1
            counts[token] = left > 0 ? left : nil
        }
    }
}
