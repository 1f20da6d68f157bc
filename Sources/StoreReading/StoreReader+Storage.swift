internal import SystemPackage

extension StoreReader {
    /// Adds up the store's bytes by their use.
    ///
    /// - Parameters:
    ///   - given: the engine's policy; `nil` asks the engine or reads the settings.
    ///   - limit: the most assets to name, the largest first. The other figures count all.
    public func storage(
        policy given: StoragePolicy? = nil, limit: Int = .max
    ) throws(StoreError) -> StorageUse {
        let written = try EngineSettings.read(paths.settings).storage
        let policy = given ?? engine?.storage ?? written
        let catalogFiles = ["", "-wal", "-shm"].map { FilePath(paths.catalog.string + $0) }
        let orphans = try orphans.all()
        let leftovers = orphans.reduce(0) { $0 + ($1.kind == .removed ? $1.bytes : 0) }
        let space = FileSystem.space(at: paths.root)
        return StorageUse(
            assets: try shares(policy, limit: limit), kinds: try catalog?.storage.storedBytesByKind() ?? [:],
            catalogBytes: catalogFiles.reduce(0) { $0 + Int64(clamping: FileSystem.facts($1)?.size ?? 0) },
            removedBytes: Int64(clamping: FileSystem.treeSize(paths.disposal)) - leftovers,
            freeBytes: space.map { Int64(clamping: $0.free) },
            cushion: space.map { Int64(clamping: StoragePolicy.cushion(of: $0.total)) }, policy: policy,
            orphans: orphans)
    }

    private func shares(_ policy: StoragePolicy, limit: Int) throws(StoreError) -> [StorageUse.Share] {
        guard let catalog else { return [] }
        var shares = try catalog.storage.storageShares(limit: limit)
        var classes: [AssetToken: EvictionClass] = [:]
        let named = limit == .max ? nil : shares.map(\.token)
        for candidate in try catalog.storage.evictionCandidates(at: try moment().trusted, of: named) {
            classes[candidate.token] = candidate.evictionClass(policy)
        }
        for index in shares.indices {
            let token = shares[index].token
            shares[index].evictionClass = classes[token]
            shares[index].lastPlayedAt = try lastPlay(of: token, known: shares[index].lastPlayedAt)
        }
        return shares
    }
}
