internal import Locking

/// The store that an engine works for. It does work that needs more than the engine has, and passes on reports.
///
/// Its methods are called on any thread.
package protocol StoreOwner: AnyObject, Sendable {
    /// Reads the playlists of an asset and enters its renditions.
    func resolve(_ token: AssetToken) async throws(StoreError)
    /// Takes an asset's media out of the store, to make room.
    func makeRoom(by step: EvictionPlan.Step) throws(StoreError)
    /// More of an asset can be served than before.
    func hasGrown(_ token: AssetToken)
    /// Is called when the transfers of an asset have ended, and the catalog has the outcome. Must not block.
    func hasEnded(_ token: AssetToken)
    /// A recording has come upon interstitials.
    func found(_ interstitials: [InterstitialPlace], in token: AssetToken)
    /// A recording has got keys that are to be asked for again at some time.
    func received(_ keys: [KeyRecord], of token: AssetToken)
    /// Is called when an asset is played after a while. Must not block.
    func beginsPlaying(_ token: AssetToken)
    /// Files of an asset were found to be gone, changed or put back.
    func filesChanged(of token: AssetToken)
}

/// Leads the parts of an engine, which are made first, to the store that they work for.
package final class StoreOwnerLink: Sendable {
    private struct State {
        weak var owner: (any StoreOwner)?
    }

    private let state = Lock(State())

    /// Makes a link without a store yet: reports are lost, and requests fail.
    package init() {}

    /// The store; `nil` before it is there, and when it is gone.
    package var owner: (any StoreOwner)? { state.withLock(\.owner) }

    /// Has the link lead to a store from now on.
    package func lead(to owner: any StoreOwner) { state.withLock { $0.owner = owner } }
}
