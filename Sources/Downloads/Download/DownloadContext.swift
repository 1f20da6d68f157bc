internal import HLSPlaylist
package import Locking
internal import SystemPackage

/// What a download works with; shared by all assets of a store.
package struct DownloadContext: Sendable {
    package let catalog: Catalog
    package let committer: SegmentCommitter
    package let paths: StorePaths
    package let clock: any WallClock
    package let arriving: ArrivingUnits
    package let players: Players
    package let recordings = Recordings()
    package let interstitials = InterstitialDesk()
    /// Refusals of origins that may be for want of a fresh address.
    package var links = LinkRequests()
    /// What origins could not give for the moment.
    let outages = Outages()
    /// Transfers that an asset may have at once, which can be changed while they run.
    package let transferLimit: Lock<Int>
    package var transfersPerAsset: Int { transferLimit.withLock(\.self) }
    package var originFallback = OriginFallback.never
    /// Whether the connection costs by volume.
    package var isMetered: @Sendable () -> Bool = { false }
    /// Finds out what `isMetered` says.
    package var lookAtConnection: @Sendable () async -> Void = {}
    /// What must be so for downloads to go on.
    package var conditions = EngineConditions()
    /// Waits until a playlist is loaded again; `seconds`.
    package var wait: @Sendable (_ seconds: Double) async throws -> Void = {
        try await Task.sleep(for: .seconds($0))
    }
    /// Is told when more of an asset can be served than before.
    package var onGrowth: @Sendable (AssetToken) -> Void = { _ in }
    /// Says whether there is room.
    package let storage: StorageKeeper
    /// Hosts that are left alone for a while.
    package let holds: HostHolds
    /// Waits before something is tried again.
    package var pause = RetryPause.usual
    /// Who is asked for content keys that come into a playlist.
    package var providers = KeyProviders()
    /// The work on assets, as others see it.
    package let board: ActivityBoard

    package init(
        catalog: Catalog,
        committer: SegmentCommitter,
        paths: StorePaths,
        clock: any WallClock,
        arriving: ArrivingUnits,
        players: Players,
        links: LinkRequests = LinkRequests(),
        transferLimit: Lock<Int>,
        originFallback: OriginFallback = OriginFallback.never,
        isMetered: @escaping @Sendable () -> Bool = { false },
        lookAtConnection: @escaping @Sendable () async -> Void = {},
        conditions: EngineConditions = EngineConditions(),
        wait: @escaping @Sendable (_ seconds: Double) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        },
        onGrowth: @escaping @Sendable (AssetToken) -> Void = { _ in },
        storage: StorageKeeper,
        holds: HostHolds,
        pause: RetryPause = RetryPause.usual,
        providers: KeyProviders = KeyProviders(),
        board: ActivityBoard
    ) {
        self.catalog = catalog
        self.committer = committer
        self.paths = paths
        self.clock = clock
        self.arriving = arriving
        self.players = players
        self.links = links
        self.transferLimit = transferLimit
        self.originFallback = originFallback
        self.isMetered = isMetered
        self.lookAtConnection = lookAtConnection
        self.conditions = conditions
        self.wait = wait
        self.onGrowth = onGrowth
        self.storage = storage
        self.holds = holds
        self.pause = pause
        self.providers = providers
        self.board = board
    }
}

extension DownloadContext {
    /// Whether the origin of an asset that is not downloading may be asked for what a player wants.
    package var mayFallBack: Bool {
        switch originFallback {
        case .never: false
        case .unmetered: !isMetered()
        case .always: true
        }
    }
}
