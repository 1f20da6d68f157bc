internal import HLSPlaylist
internal import Locking
internal import SystemPackage

/// What a download works with; shared by all assets of a store.
struct DownloadContext: Sendable {
    let catalog: Catalog
    let committer: SegmentCommitter
    let paths: StorePaths
    let clock: any WallClock
    let arriving: ArrivingUnits
    let players: Players
    let recordings = Recordings()
    let interstitials = InterstitialDesk()
    /// Refusals of origins that may be for want of a fresh address.
    var links = LinkRequests()
    /// What origins could not give for the moment.
    let outages = Outages()
    /// Transfers that an asset may have at once, which can be changed while they run.
    let transferLimit: Lock<Int>
    var transfersPerAsset: Int { transferLimit.withLock(\.self) }
    var originFallback = OriginFallback.never
    /// Whether the connection costs by volume.
    var isMetered: @Sendable () -> Bool = { false }
    /// Finds out what `isMetered` says.
    var lookAtConnection: @Sendable () async -> Void = {}
    /// What must be so for downloads to go on.
    var conditions = EngineConditions()
    /// Waits until a playlist is loaded again; `seconds`.
    var wait: @Sendable (_ seconds: Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    /// Is told when more of an asset can be served than before.
    var onGrowth: @Sendable (AssetToken) -> Void = { _ in }
    /// Says whether there is room.
    let storage: StorageKeeper
    /// Hosts that are left alone for a while.
    let holds: HostHolds
    /// Waits before something is tried again.
    var pause = RetryPause.usual
    /// Who is asked for content keys that come into a playlist.
    var providers = KeyProviders()
    /// The work on assets, as others see it.
    let board: ActivityBoard
}

extension DownloadContext {
    /// Whether the origin of an asset that is not downloading may be asked for what a player wants.
    var mayFallBack: Bool {
        switch originFallback {
        case .never: false
        case .unmetered: !isMetered()
        case .always: true
        }
    }
}
