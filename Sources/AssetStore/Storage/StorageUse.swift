internal import SystemPackage

/// Who uses which bytes of a store.
public struct StorageUse: Sendable {
    /// One asset's share.
    public struct Share: Sendable {
        /// The asset.
        public var token: AssetToken
        /// Its name for people.
        public var name: String
        /// Bytes of media, as the catalog has them.
        public var bytes: Int64
        /// Whether nothing evicts it.
        public var isPinned: Bool
        /// When it was played.
        public var lastPlayedAt: Timestamp?
        /// As what the policy may evict it; `nil` when it may not.
        public var evictionClass: EvictionClass?
    }

    /// From the largest to the smallest.
    public var assets: [Share]
    /// Bytes of media by the kind of their renditions.
    public var kinds: [RenditionKind: Int64]
    /// Bytes of the catalog.
    public var catalogBytes: Int64
    /// Bytes that are being deleted.
    public var removedBytes: Int64
    /// Bytes that the file system has left; `nil` when it does not tell.
    public var freeBytes: Int64?
    /// Bytes of the file system that downloads leave free.
    public var cushion: Int64?
    /// The limits.
    public var policy: StoragePolicy
    /// What no row of the catalog knows.
    public var orphans: [Orphan]
}

extension StoreReader {
    /// Adds up who uses which bytes.
    ///
    /// - Parameter policy: the engine's; `nil` to ask it, or the settings.
    public func storage(policy given: StoragePolicy? = nil) throws(StoreError) -> StorageUse {
        let written = try EngineSettings.read(paths.settings).storage
        let policy = given ?? engine?.storage ?? written
        let catalogFiles = ["", "-wal", "-shm"].map { FilePath(paths.catalog.string + $0) }
        let orphans = try orphans()
        let leftovers = orphans.reduce(0) { $0 + ($1.kind == .removed ? $1.bytes : 0) }
        let space = FileSystem.space(at: paths.root)
        return StorageUse(
            assets: try shares(policy), kinds: try catalog?.storedBytesByKind() ?? [:],
            catalogBytes: catalogFiles.reduce(0) { $0 + Int64(clamping: FileSystem.facts($1)?.size ?? 0) },
            removedBytes: Int64(clamping: FileSystem.treeSize(paths.disposal)) - leftovers,
            freeBytes: space.map { Int64(clamping: $0.free) },
            cushion: space.map { Int64(clamping: EngineConditions.cushion(of: $0.total)) }, policy: policy,
            orphans: orphans)
    }

    private func shares(_ policy: StoragePolicy) throws(StoreError) -> [StorageUse.Share] {
        guard let catalog else { return [] }
        var classes: [AssetToken: EvictionClass] = [:]
        for candidate in try catalog.evictionCandidates(at: try moment().trusted) {
            classes[candidate.token] = candidate.evictionClass(policy)
        }
        var shares = try catalog.storageShares()
        for index in shares.indices {
            let token = shares[index].token
            shares[index].evictionClass = classes[token]
            shares[index].lastPlayedAt = try lastPlay(of: token, known: shares[index].lastPlayedAt)
        }
        return shares
    }
}
