/// An action on the transfer of an asset. A user or the engine causes it.
///
/// The table of all transitions. A dot means that nothing changes, a dash that the action is refused:
///
/// | from          | pause  | resume | cancel    | remove   | repair | resolve   | begin       | yield  | finish   | fail   | extend | evict     |
/// |---------------|--------|--------|-----------|----------|--------|-----------|-------------|--------|----------|--------|--------|-----------|
/// | `resolving`   | paused | ·      | cancelled | removing | -      | ·         | -           | queued | complete | failed | -      | -         |
/// | `queued`      | paused | ·      | cancelled | removing | ·      | resolving | downloading | ·      | -        | failed | ·      | -         |
/// | `downloading` | paused | ·      | cancelled | removing | ·      | -         | ·           | queued | complete | failed | queued | -         |
/// | `paused`      | ·      | queued | cancelled | removing | queued | -         | -           | -      | -        | -      | ·      | cancelled |
/// | `complete`    | ·      | ·      | -         | removing | queued | -         | -           | -      | ·        | -      | queued | cancelled |
/// | `cancelled`   | ·      | queued | ·         | removing | queued | -         | -           | -      | -        | -      | queued | ·         |
/// | `failed`      | ·      | queued | cancelled | removing | queued | -         | -           | -      | -        | ·      | queued | cancelled |
/// | `removing`    | -      | -      | -         | ·        | -      | -         | -           | -      | -        | -      | -      | -         |
///
/// Pausing a complete, cancelled or failed asset changes nothing, since nothing is transferred. Cancelling a complete
/// asset is refused: there is no download to give up.
///
/// An asset that is being copied from a folder is `resolving`, too; it can only be removed.
public enum AssetAction: String, Sendable, CaseIterable {
    /// Stops the transfer and keeps the stored media; only `resume` continues it.
    case pause
    /// Continues with the missing units.
    case resume
    /// Gives the download up; stored media are kept for a day.
    case cancel
    /// Deletes the asset with all its files.
    case remove
    /// Fetches missing and damaged units, also of a complete asset.
    case repair
    /// The engine reads its playlists.
    case resolve
    /// The engine starts its transfers.
    case begin
    /// The engine stops its transfers for now, for example because no slot is free, or there is no network or no room.
    case yield
    /// The last missing unit was stored.
    case finish
    /// An error ended it.
    case fail
    /// The asset gets additional renditions, which have to be fetched.
    case extend
    /// The storage policy evicts it: its media are deleted.
    case evict

    /// The state after the action: the same state when nothing changes, `nil` when the action is refused.
    public func outcome(from state: AssetState) -> AssetState? {
        switch (self, state) {
        case (.remove, _): .removing
        case (_, .removing): nil
        case (.pause, .resolving), (.pause, .queued), (.pause, .downloading), (.pause, .paused): .paused
        case (.pause, .complete), (.pause, .cancelled), (.pause, .failed): state
        case (.cancel, .complete): nil
        case (.cancel, _): .cancelled
        case (.resume, .paused), (.resume, .cancelled), (.resume, .failed): .queued
        case (.resume, _): state
        case (.repair, .resolving): nil
        case (.repair, .downloading): .downloading
        case (.repair, _): .queued
        case (.resolve, .queued), (.resolve, .resolving): .resolving
        case (.begin, .queued), (.begin, .downloading): .downloading
        case (.yield, .resolving), (.yield, .queued), (.yield, .downloading): .queued
        case (.finish, .resolving), (.finish, .downloading), (.finish, .complete): .complete
        case (.fail, .resolving), (.fail, .queued), (.fail, .downloading), (.fail, .failed): .failed
        case (.extend, .paused): .paused
        case (.extend, .resolving): nil
        case (.extend, _): .queued
        case (.evict, .paused), (.evict, .complete), (.evict, .cancelled), (.evict, .failed): .cancelled
        default: nil
        }
    }

    /// The participle of the action, to complete "it can't be …".
    public var participle: String {
        switch self {
        case .pause: "paused"
        case .resume: "resumed"
        case .cancel: "cancelled"
        case .remove: "removed"
        case .repair: "repaired"
        case .resolve: "looked into"
        case .begin: "downloaded"
        case .yield: "put off"
        case .finish: "finished"
        case .fail: "failed"
        case .extend: "given tracks"
        case .evict: "evicted"
        }
    }
}

/// The outcome of an action on one asset.
public struct AssetChange: Sendable, Equatable {
    /// The asset.
    public var token: AssetToken
    /// Its state before.
    public var from: AssetState
    /// Its state now.
    public var to: AssetState

    package init(token: AssetToken, from: AssetState, to: AssetState) {
        self.token = token
        self.from = from
        self.to = to
    }
}
