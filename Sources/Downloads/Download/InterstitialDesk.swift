internal import HLSPlaylist
internal import Locking
internal import Logging

/// Tells of interstitials that come up in recordings.
package final class InterstitialDesk: Sendable {
    private let taker = Lock<(@Sendable (AssetToken, [InterstitialPlace]) -> Void)?>(nil)

    package func onFound(_ body: @escaping @Sendable (AssetToken, [InterstitialPlace]) -> Void) {
        taker.withLock { $0 = body }
    }

    package func found(_ places: [InterstitialPlace], in token: AssetToken) {
        if !places.isEmpty { taker.withLock(\.self)?(token, places) }
    }
}
