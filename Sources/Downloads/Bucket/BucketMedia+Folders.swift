internal import Dispatch
internal import Locking
internal import SystemPackage

/// The folders of assets on a node among others, whose own folder may be empty: the catalog has all that they are made of.
extension BucketMedia {
    package func restore(_ token: AssetToken) throws(StoreError) {
        guard catalog.ownership != nil, !isRestored(token) else { return }
        try restoring.sync {
            Result { () throws(StoreError) in
                guard !isRestored(token), try makeFolder(of: token) else { return }
                _ = restored.withLock { $0.insert(token) }
            }
        }.get()
    }

    package func keep(_ body: [UInt8]?, at path: String, of token: AssetToken) throws(StoreError) {
        guard catalog.ownership != nil else { return }
        if let body {
            try catalog.shared.keep(body, at: path, of: token)
        } else {
            try catalog.shared.forget(path, of: token)
        }
    }

    private func isRestored(_ token: AssetToken) -> Bool { restored.withLock { $0.contains(token) } }

    /// Makes the missing folders and playlists of an asset. Existing files were written by this node since it owns
    /// the store.
    ///
    /// - Returns: whether the asset exists.
    private func makeFolder(of token: AssetToken) throws(StoreError) -> Bool {
        guard try catalog.assets.asset(token) != nil else { return false }
        let rows = try catalog.renditions.all(of: [token])[token] ?? []
        let names = Set(rows.map(\.name))
        for file in try catalog.shared.files(of: token) {
            let parts = file.path.split(separator: "/")
            // Remains of a removed rendition are not brought back.
            guard parts.count == 1 || parts.first.map({ names.contains(String($0)) }) == true else {
                continue
            }
            try write(file.body, to: file.path, of: token)
        }
        let isMissing = rows.contains { row in
            let path = paths.rendition(token, row.name).appending(ServedMediaPlaylist.fileName)
            return row.failure == nil && row.hasPlaylist && FileSystem.isAbsent(path)
        }
        guard isMissing else { return true }
        var own = paths
        own.media = BucketUnits(bucket: self)
        let playlists = BundlePlaylists(catalog: catalog, paths: own, token: token)
        for (name, bytes) in try playlists.made(skipsUnreadable: true) {
            try write(bytes, to: name, of: token)
        }
        return true
    }

    private func write(_ body: [UInt8], to name: String, of token: AssetToken) throws(StoreError) {
        let path = paths.asset(token).pushing(FilePath(name))
        guard FileSystem.isAbsent(path) else { return }
        try FileSystem.makeDirectory(path.parent)
        try DurableWrite.write(body, to: path)
    }
}

/// The units of a bucket, for code that makes folders.
private struct BucketUnits: MediaSource {
    let bucket: BucketMedia

    func bring(_ key: UnitKey, named name: String) throws(StoreError) { try bucket.fetch(key, named: name) }
    func restore(_ token: AssetToken) throws(StoreError) {}
    func keep(_ body: [UInt8]?, at path: String, of token: AssetToken) throws(StoreError) {}
}
