internal import SystemPackage

/// The folders in a store that no row of the catalog knows.
package struct Orphans: ReaderRole {
    let reader: StoreReader

    /// Finds all orphans, with one look at each asset's folder. Assets that are being entered have folders before
    /// rows, and are skipped.
    package func all() throws(StoreError) -> [Orphan] {
        guard let catalog else {
            return LostCatalog.folders(paths).map { orphan(paths.asset($0), .asset, token: $0) }
        }
        var found: [Orphan] = []
        for name in FileSystem.names(in: paths.assets).sorted() {
            let folder = paths.assets.appending(name)
            guard let token = AssetToken(name), token.description == name else {
                found.append(orphan(folder, .foreign, token: nil))
                continue
            }
            guard let rows = try catalog.storage.renditionNames(of: token) else {
                found.append(orphan(folder, .asset, token: token))
                continue
            }
            for name in FileSystem.names(in: folder).sorted() where Self.isUnknown(name, in: folder, rows) {
                found.append(orphan(folder.appending(name), .rendition, token: token))
            }
        }
        let disposals = Set(try catalog.storage.disposals().map { "\($0.id)" })
        for name in FileSystem.names(in: paths.disposal).sorted() where !disposals.contains(name) {
            found.append(orphan(paths.disposal.appending(name), .removed, token: nil))
        }
        return found
    }

    /// How many folders of assets there are, known to the catalog or not.
    package var assetFolders: Int {
        FileSystem.names(in: paths.assets).count { name in AssetToken(name)?.description == name }
    }

    /// Whether the folder still belongs to no row. Only this folder is checked.
    package func isOrphan(_ orphan: Orphan) throws(StoreError) -> Bool {
        guard let catalog, let token = orphan.token else { return true }
        let path = paths.root.pushing(FilePath(orphan.path))
        guard let rows = try catalog.storage.renditionNames(of: token) else {
            return orphan.kind == .asset && FileSystem.facts(path) != nil
        }
        guard orphan.kind == .rendition else { return false }
        return Self.isUnknown(path.name, in: path.parent, rows)
    }

    /// Whether a rendition's folder belongs neither to a present rendition of its asset nor to one that is being
    /// added.
    private static func isUnknown(
        _ name: String, in folder: FilePath, _ rows: (names: Set<String>, isBeingEntered: Bool)
    ) -> Bool {
        guard !rows.isBeingEntered, !rows.names.contains(name) else { return false }
        return FileSystem.facts(folder.appending(name).appending(ServedMediaPlaylist.fileName)) != nil
    }

    private func orphan(_ path: FilePath, _ kind: Orphan.Kind, token: AssetToken?) -> Orphan {
        let relative = path.components.dropFirst(paths.root.components.count).map(\.string)
        return Orphan(
            path: relative.joined(separator: "/"), bytes: Int64(clamping: FileSystem.treeSize(path)),
            kind: kind, token: token)
    }
}
