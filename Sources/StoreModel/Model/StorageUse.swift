internal import SystemPackage

/// The bytes of a store, by their use.
public struct StorageUse: Sendable {
    /// One asset's share.
    public struct Share: Sendable {
        /// The asset.
        public var token: AssetToken
        /// Its display name.
        public var name: String
        /// Bytes of media, as the catalog has them.
        public var bytes: Int64
        /// Whether it is protected from eviction.
        public var isPinned: Bool
        /// The time at which it was last played.
        package var lastPlayedAt: Timestamp?
        /// The class in which the policy may evict it; `nil` if it may not.
        public var evictionClass: EvictionClass?

        package init(
            token: AssetToken, name: String, bytes: Int64, isPinned: Bool,
            lastPlayedAt: Timestamp? = nil, evictionClass: EvictionClass? = nil
        ) {
            self.token = token
            self.name = name
            self.bytes = bytes
            self.isPinned = isPinned
            self.lastPlayedAt = lastPlayedAt
            self.evictionClass = evictionClass
        }
    }

    /// From the largest to the smallest; perhaps not all.
    public var assets: [Share]
    /// Bytes of media of all assets by the kind of their renditions.
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
    /// The files and folders that no row of the catalog knows.
    public var orphans: [Orphan]

    package init(
        assets: [Share], kinds: [RenditionKind: Int64], catalogBytes: Int64, removedBytes: Int64,
        freeBytes: Int64? = nil, cushion: Int64? = nil, policy: StoragePolicy, orphans: [Orphan]
    ) {
        self.assets = assets
        self.kinds = kinds
        self.catalogBytes = catalogBytes
        self.removedBytes = removedBytes
        self.freeBytes = freeBytes
        self.cushion = cushion
        self.policy = policy
        self.orphans = orphans
    }
}

/// A file or folder in the store that no row of the catalog names.
public struct Orphan: Sendable, Equatable {
    /// The kinds of orphans.
    public enum Kind: String, Sendable {
        /// The folder of an asset that is not in the catalog.
        case asset
        /// The folder of a rendition that its asset does not have.
        case rendition
        /// A folder that was being deleted.
        case removed
        /// A file or folder that is not the store's. It is never deleted.
        case foreign
    }

    /// Its path, relative to the store's folder.
    public var path: String
    /// Bytes in it.
    public var bytes: Int64
    /// The kind of orphan.
    public var kind: Kind
    /// The asset whose folder it is, or is in.
    public var token: AssetToken?

    package init(path: String, bytes: Int64, kind: Kind, token: AssetToken? = nil) {
        self.path = path
        self.bytes = bytes
        self.kind = kind
        self.token = token
    }
}
