internal import Locking

/// What the media playlists of one asset may take together. A multivariant playlist can list thousands, each of which
/// is within its own limits, and all of which are in memory until the asset is planned.
final class PlaylistBudget: Sendable {
    /// Playlists at most.
    static let streams = 200
    /// Bytes of all of them at most: ten times what a day of short segments takes in 20 renditions is refused.
    static let bytes = 128 << 20
    /// Playlists that are read at a time.
    static let atOnce = 8

    private struct Left {
        var streams = PlaylistBudget.streams
        var bytes = PlaylistBudget.bytes
    }

    private let left = Lock(Left())

    /// One more playlist is to be read.
    func enter() throws(StoreError) {
        let isLeft = left.withLock { left in
            left.streams -= 1
            return left.streams >= 0 && left.bytes > 0
        }
        if !isLeft { throw StoreError(.ineligible(.tooMuch)) }
    }

    /// So many bytes of playlists have come.
    func take(_ count: Int) throws(StoreError) {
        let isLeft = left.withLock { left in
            left.bytes -= count
            return left.bytes >= 0
        }
        if !isLeft { throw StoreError(.ineligible(.tooMuch)) }
    }
}
