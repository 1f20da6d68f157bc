internal import Locking

/// The common budget of one asset's media playlists. A multivariant playlist can list thousands, each within its own
/// limits, and all of them are in memory until the asset is planned.
package final class PlaylistBudget: Sendable {
    /// Playlists that are read at a time.
    static let atOnce = 8

    private struct Left {
        var streams = TransferLimits.playlists
        var bytes = TransferLimits.playlistBytes
    }

    private let left = Lock(Left())

    /// Counts one more playlist.
    package func enter() throws(StoreError) {
        let isLeft = left.withLock { left in
            left.streams -= 1
            return left.streams >= 0 && left.bytes > 0
        }
        if !isLeft { throw StoreError(.ineligible(.tooMuch)) }
    }

    /// Counts bytes of playlists.
    package func take(_ count: Int) throws(StoreError) {
        let isLeft = left.withLock { left in
            left.bytes -= count
            return left.bytes >= 0
        }
        if !isLeft { throw StoreError(.ineligible(.tooMuch)) }
    }
}
