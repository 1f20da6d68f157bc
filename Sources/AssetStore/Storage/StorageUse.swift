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
    }

    /// From the largest to the smallest.
    public var assets: [Share]
    /// Bytes of the catalog.
    public var catalogBytes: Int64
    /// Bytes that the file system has left; `nil` when it does not tell.
    public var freeBytes: Int64?
    /// Folders below `assets` that belong to no asset.
    public var orphans: [String]
}

extension StoreReader {
    /// Adds up who uses which bytes.
    public func storage() throws(StoreError) -> StorageUse {
        let assets = try assets()
        let known = Set(assets.map(\.token.description))
        let catalogFiles = ["", "-wal", "-shm"].map { FilePath(paths.catalog.string + $0) }
        return StorageUse(
            assets: assets.map { .init(token: $0.token, name: $0.name, bytes: $0.storedBytes) }
                .sorted { $0.bytes > $1.bytes },
            catalogBytes: catalogFiles.reduce(0) { $0 + Int64(clamping: FileSystem.facts($1)?.size ?? 0) },
            freeBytes: FileSystem.freeSpace(at: paths.root).map { Int64(clamping: $0) },
            orphans: FileSystem.names(in: paths.assets).filter { !known.contains($0) }.sorted())
    }
}
