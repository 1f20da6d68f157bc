internal import Locking

/// Combines the catalog with the presence and the limits of the engine.
extension StoreReader {
    /// Facts outside of the catalog by which assets are judged, gathered once for a listing.
    struct Surroundings {
        /// Until when hosts want to be left alone.
        var cooldowns: [String: Timestamp] = [:]
        /// Whether an engine works on the store. That is not asked if none of the assets wants one.
        var isWorkedOn: Bool
        /// The room that there is, if an asset waits for room.
        var room: RoomShortage.Figures?
        /// The bytes that assets which wait for room are known to need.
        var needs: [AssetToken: UInt64] = [:]
        /// The bucket for the store's media; `nil` without one.
        var mediaPlace: String?
    }

    /// Gathers the facts outside of the catalog that matter for some assets.
    func surroundings(of records: [AssetRecord]) throws(StoreError) -> Surroundings {
        var found = Surroundings(
            cooldowns: try cooldowns(for: records),
            isWorkedOn: records.contains(where: \.wantsEngine) && isWorkedOn,
            mediaPlace: try catalog?.storage.mediaPlace())
        let waiting = records.filter(\.waitsForRoom).map(\.token)
        guard found.isWorkedOn, !waiting.isEmpty, let catalog else { return found }
        let running = try catalog.assets.tokens(in: [.downloading])
        found.needs = try catalog.assets.missingBytes(
            ofEach: Array(waiting.prefix(Self.mostJudged)), share: 1)
        let policy = try storagePolicy()
        found.room = RoomShortage.Figures(
            quota: policy.quota, stored: UInt64(clamping: try catalog.assets.storedBytes()),
            taken: try catalog.assets.missingBytes(of: Array(running.prefix(Self.mostJudged))),
            space: space(paths.root))
        return found
    }

    /// Whether an engine works on the store: on this machine or, if the store is shared, on another one.
    private var isWorkedOn: Bool {
        if isEngines || engine != nil { return true }
        guard paths.isOfNode, let nodes = try? catalog?.nodes.all() else { return false }
        return nodes.contains { $0.role == .active }
    }

    /// SQLite takes some thousand parameters at most.
    private static let mostJudged = 500

    /// The limits that the engine keeps, or that the next one will.
    func storagePolicy() throws(StoreError) -> StoragePolicy {
        if let own = limits.withLock(\.self)?.policy { return own }
        if let told = engine?.storage { return told }
        return try EngineSettings.read(paths.settings).storage
    }

    /// The time at which an asset was played last, also if the catalog does not have it yet.
    func lastPlay(of token: AssetToken, known: Timestamp?) throws(StoreError) -> Timestamp? {
        guard let seen = players.log.lastPlay(of: token) else { return known }
        let age = Int64(max(0, SteadyClock.seconds - seen) * 1000)
        let fresh = Timestamp(milliseconds: try moment().wall.milliseconds - age)
        return max(fresh, known ?? fresh)
    }

    /// The catalog's states that are shown as these states; `nil` if there are none. Without an engine, no asset is
    /// resolved or downloaded: such assets are shown as queued.
    func catalogStates(shownAs states: [AssetState]) -> [AssetState]? {
        let active: Set<AssetState> = [.resolving, .downloading]
        guard !states.isEmpty, !active.union([.queued]).isDisjoint(with: states), !isWorkedOn else {
            return states
        }
        let others = states.filter { !active.contains($0) }
        let all = others.contains(.queued) ? others + active : others
        return all.isEmpty ? nil : all
    }
}

extension AssetRecord {
    /// Whether an engine would work on it now or later.
    fileprivate var wantsEngine: Bool {
        switch state {
        case .queued, .resolving, .downloading: true
        case .paused, .complete, .cancelled, .failed, .removing: false
        }
    }

    private var isBeingImported: Bool { state == .resolving && folder != nil }

    fileprivate var waitsForRoom: Bool { state == .queued && reason == WaitReason.disk.rawValue }

    /// The state and its reason for display.
    func shown(in surroundings: StoreReader.Surroundings, waitsUntil: Timestamp?) -> (AssetState, String?) {
        if wantsEngine, !surroundings.isWorkedOn {
            // An import that was interrupted is not continued: the next engine deletes what it has copied.
            return isBeingImported ? (.removing, nil) : (.queued, Asset.reasonOfNoEngine)
        }
        return (state, waitsUntil == nil ? reason : WaitReason.origin.rawValue)
    }

    /// The limit that keeps it waiting.
    func room(in surroundings: StoreReader.Surroundings) -> RoomShortage? {
        guard waitsForRoom, let figures = surroundings.room else { return nil }
        return RoomShortage(needed: surroundings.needs[token] ?? 0, figures)
    }
}
