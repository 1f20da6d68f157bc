internal import HLSPlaylist
internal import Locking
internal import Logging

/// Tells of interstitials that come up in recordings.
final class InterstitialDesk: Sendable {
    private let taker = Lock<(@Sendable (AssetToken, [InterstitialPlace]) -> Void)?>(nil)

    func onFound(_ body: @escaping @Sendable (AssetToken, [InterstitialPlace]) -> Void) {
        taker.withLock { $0 = body }
    }

    func found(_ places: [InterstitialPlace], in token: AssetToken) {
        if !places.isEmpty { taker.withLock(\.self)?(token, places) }
    }
}
