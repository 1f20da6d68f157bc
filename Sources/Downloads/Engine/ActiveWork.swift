internal import Locking

/// The running downloads and the assets that are being resolved, with the reason for which each was told to wait.
package struct ActiveWork {
    /// A download that runs.
    package struct Run {
        package let task: Task<Void, Never>
        let meter: ByteMeter
        /// Whether it fetches only units that players want, of an asset that is not downloading.
        let isFallback: Bool
    }

    /// An asset whose playlists are being read.
    package struct Resolution {
        package let task: Task<Void, Never>
        let entry: QueueEntry
        let since = SteadyClock.seconds

        /// Whether it has taken so long that other assets need not wait for it.
        var isSlow: Bool { SteadyClock.seconds - since > ByteMeter.reservation }
    }

    /// How many assets beyond the free places have their playlists read.
    package static let resolvedAhead = 4
    /// How many assets have their playlists read at once.
    private static let resolutionsAtOnce = 4
    /// How many do when players wait for them.
    private static let resolutionsForPlayers = 16

    private(set) var runs: [AssetToken: Run] = [:]
    private(set) var resolutions: [AssetToken: Resolution] = [:]
    private var reasons: [AssetToken: WaitReason] = [:]

    /// Whether there is no work.
    var isEmpty: Bool { runs.isEmpty && resolutions.isEmpty }

    /// The assets with a download that runs.
    var running: [AssetToken] { Array(runs.keys) }

    /// Whether there is work on an asset.
    func isAt(_ token: AssetToken) -> Bool { runs[token] != nil || resolutions[token] != nil }

    /// Whether there is a free slot for the next entry of the queue, with this number of slots.
    func hasPlace(for entry: QueueEntry, of maximum: Int) -> Bool {
        guard !entry.isUnresolved else { return resolutions.count < Self.resolutionsAtOnce }
        let downloads = runs.values.count { !$0.isFallback && !$0.meter.isHeldUp }
        // Entries before it that will soon want slots keep theirs.
        let reserved = resolutions.values.count { $0.entry < entry && !$0.isSlow }
        return downloads + reserved < maximum
    }

    /// Whether another asset may be resolved for a player.
    var mayResolveForPlayer: Bool { resolutions.count < Self.resolutionsForPlayers }

    /// Whether other assets may use the slots of assets that make no progress.
    var hasIdlePlaces: Bool {
        resolutions.values.contains(where: \.isSlow) || runs.values.contains(where: \.meter.isHeldUp)
    }

    mutating func begin(_ token: AssetToken, _ run: Run) { runs[token] = run }
    mutating func begin(_ token: AssetToken, _ resolution: Resolution) { resolutions[token] = resolution }

    /// Ends the account of a run.
    @discardableResult
    mutating func endRun(of token: AssetToken) -> Run? { runs.removeValue(forKey: token) }

    /// Ends the account of a resolution.
    mutating func endResolution(of token: AssetToken) { resolutions[token] = nil }

    /// The downloads that may be told to wait: those that were not told yet, and that do not serve players only.
    var interruptible: [AssetToken] {
        runs.filter { !$0.value.isFallback && reasons[$0.key] == nil }.map(\.key)
    }

    /// The resolutions that may be told to wait.
    var interruptibleResolutions: [AssetToken] { resolutions.keys.filter { reasons[$0] == nil } }

    /// Ends the work on an asset, which waits from then on.
    mutating func putOff(_ token: AssetToken, for reason: WaitReason) {
        reasons[token] = reason
        if let run = runs[token], !run.isFallback {
            run.task.cancel()
        } else {
            resolutions[token]?.task.cancel()
        }
    }

    /// Ends all downloads that are not for players alone; they wait then.
    mutating func putOffAll(for reason: WaitReason) {
        for (token, run) in runs where !run.isFallback { putOff(token, for: reason) }
    }

    /// Why an asset was told to wait.
    func reason(of token: AssetToken) -> WaitReason? { reasons[token] }

    /// Forgets why an asset was told to wait: its end is written.
    mutating func forgetReason(of token: AssetToken) { reasons[token] = nil }

    /// The tasks that work on assets.
    func tasks(of tokens: some Sequence<AssetToken>) -> [Task<Void, Never>] {
        tokens.flatMap { [runs[$0]?.task, resolutions[$0]?.task].compactMap(\.self) }
    }

    /// The tasks of all assets.
    var tasks: [Task<Void, Never>] { runs.values.map(\.task) + resolutions.values.map(\.task) }
}
