internal import Locking

/// The store that an engine works for. It does what takes more than the engine has, and is told what others have to know.
///
/// Its calls come on any thread.
package protocol StoreOwner: AnyObject, Sendable {
    /// Reads the playlists of an asset and enters what it consists of.
    func resolve(_ token: AssetToken) async throws(StoreError)
    /// Takes an asset's media out of the store, to make room.
    func makeRoom(by step: EvictionPlan.Step) throws(StoreError)
    /// More of an asset can be served than before.
    func hasGrown(_ token: AssetToken)
    /// The transfers of an asset have come to an end, and the catalog says how. Must not block.
    func hasEnded(_ token: AssetToken)
    /// A recording has come upon interstitials.
    func found(_ interstitials: [InterstitialPlace], in token: AssetToken)
    /// A recording has got keys that are to be asked for again at some time.
    func received(_ keys: [KeyRecord], of token: AssetToken)
    /// An asset is played that nobody had played for a while. Must not block.
    func beginsPlaying(_ token: AssetToken)
    /// Files of an asset were found to be gone or changed.
    func isDamaged(_ token: AssetToken)
}

/// Leads the parts of an engine, which are made first, to the store that they work for.
package final class StoreOwnerLink: Sendable {
    private struct State {
        weak var owner: (any StoreOwner)?
    }

    private let state = Lock(State())

    /// A link that leads to nobody yet: what is told is lost, and what is asked for fails.
    package init() {}

    /// The store; `nil` before it is there, and when it is gone.
    package var owner: (any StoreOwner)? { state.withLock(\.owner) }

    /// Has the link lead to a store from now on.
    package func lead(to owner: any StoreOwner) { state.withLock { $0.owner = owner } }
}
