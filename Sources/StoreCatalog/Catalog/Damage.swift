internal import Dispatch
internal import Locking
internal import SystemPackage

/// The files of an asset, compared with the rows that call them stored, lost or damaged.
package struct Damage {
    package let catalog: Catalog
    package let paths: StorePaths
    package let token: AssetToken

    package init(catalog: Catalog, paths: StorePaths, token: AssetToken) {
        self.catalog = catalog
        self.paths = paths
        self.token = token
    }

    /// The reason that the event log has for so many files.
    package static func reason(_ count: Int) -> String {
        count == 1 ? "1 file is gone or changed" : "\(count) files are gone or changed"
    }

    /// A result of a look at files.
    package struct Finding {
        package var absent: [AbsentRow] = []
        /// How many playlists are gone or cut off.
        package var playlists = 0
        /// The paths that can't be read now.
        package var unread: Set<String> = []

        package init(absent: [AbsentRow] = [], playlists: Int = 0, unread: Set<String> = []) {
            self.absent = absent
            self.playlists = playlists
            self.unread = unread
        }
    }

    /// Finds files that are called stored and are gone, or have other bytes.
    ///
    /// - Parameter names: the files to look at; all of them when `nil`.
    package func find(in rendition: String, among names: Set<String>?) throws(StoreError) -> Finding {
        var finding = Finding()
        guard let row = try catalog.renditions.rendition(token, rendition) else { return finding }
        let folder = paths.rendition(token, rendition)
        for unit in try catalog.units.all(of: row.id, states: [.stored]) where !unit.isInBucket {
            let name = UnitJob(unit: unit, rendition: row).fileName
            guard names?.contains(name) ?? true else { continue }
            do throws(StoreError) {
                let damage = try damage(to: unit, folder.appending(name), reading: names != nil)
                guard let damage else { continue }
                finding.absent.append(AbsentRow(unit, of: row, isGone: damage == .gone))
            } catch {
                finding.unread.insert(name)
            }
        }
        let playlist = ServedMediaPlaylist.fileName
        guard names?.contains(playlist) ?? true else { return finding }
        do throws(StoreError) {
            finding.playlists = try ServedMediaPlaylist.goesToEnd(folder.appending(playlist)) ? 0 : 1
        } catch {
            finding.unread.insert(playlist)
        }
        return finding
    }

    /// Enters lost and damaged units as stored again, whose files someone has put back as they were.
    ///
    /// - Parameters:
    ///   - rendition: only this one; all when `nil`.
    ///   - names: only these files; all when `nil`.
    /// - Returns: the files, by their path in the asset's folder.
    package func takeBack(
        in rendition: String? = nil, among names: Set<String>? = nil, at now: Timestamp
    ) throws(StoreError) -> [String] {
        // The folder of a node is a cache: what is in it proves nothing about the bucket.
        guard !paths.isOfNode else { return [] }
        var returned: [(name: String, unit: StoredUnit)] = []
        for row in try catalog.renditions.all(of: [token])[token] ?? []
        where rendition.map({ $0 == row.name }) ?? true {
            let folder = paths.rendition(token, row.name)
            for unit in try catalog.units.absent(of: row.id) {
                guard let size = unit.size, let hash = unit.sha256 else { continue }
                let name = UnitJob(unit: unit, rendition: row).fileName
                guard names?.contains(name) ?? true, isUnchanged(unit, folder.appending(name)) else {
                    continue
                }
                returned.append(
                    (
                        "\(row.name)/\(name)",
                        StoredUnit(
                            rendition: row.id, kind: unit.kind, number: unit.number, size: size, sha256: hash,
                            folderTime: FileSystem.folderTime(folder))
                    ))
            }
        }
        guard !returned.isEmpty else { return [] }
        try catalog.units.markStored(returned.map(\.unit))
        try catalog.health.noteHealth(of: token, at: now)
        return returned.map(\.name)
    }

    /// A file that can't be read now is not taken back.
    private func isUnchanged(_ unit: UnitRecord, _ path: FilePath) -> Bool {
        do throws(StoreError) { return try damage(to: unit, path, reading: true) == nil } catch {
            return false
        }
    }

    /// - Returns: `nil` if the file is as it was stored.
    /// - Throws: the error of a file that can't be checked now.
    private func damage(
        to unit: UnitRecord, _ path: FilePath, reading: Bool
    ) throws(StoreError) -> UnitFinding? {
        guard let facts = FileSystem.facts(path) else {
            guard FileSystem.isAbsent(path) else { throw .system(.read, path, reason: .ioError) }
            return .gone
        }
        guard facts.isRegular, facts.size == unit.size else { return .damaged }
        guard reading else { return nil }
        return try FilePieces.sha256(of: path) == unit.sha256 ? nil : .damaged
    }
}
