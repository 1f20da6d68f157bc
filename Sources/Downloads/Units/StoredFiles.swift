internal import SystemPackage

/// The files of an asset that the catalog has as stored, looked at before a run.
package struct StoredFiles {
    private let token: AssetToken
    private let store: StoreAccess

    package init(_ token: AssetToken, store: StoreAccess) { (self.token, self.store) = (token, store) }

    /// Marks stored units as missing if their files were deleted or truncated while no engine ran, enters lost units
    /// as stored whose files were put back, and makes playlists and the tracks of subtitle files again. Afterwards a
    /// complete asset has all its files.
    ///
    /// - Throws: also the error of files that can't be checked.
    package func noteDamage() throws(StoreError) {
        try store.paths.media?.restore(token)
        let rows = try store.renditions(of: token)
        try restorePlaylists(rows)
        for row in rows where row.storedBytes > 0 {
            let gone = try lost(of: row)
            if !gone.isEmpty { try store.catalog.units.markAbsent(gone) }
        }
        _ = try Damage(catalog: store.catalog, paths: store.paths, token: token).takeBack(at: store.now)
        try SubtitleFileTracks(catalog: store.catalog, paths: store.paths, token: token).restoreOrGiveUp()
    }

    private func lost(of row: RenditionRecord) throws(StoreError) -> [AbsentRow] {
        let folder = store.paths.rendition(token, row.name)
        var gone: [AbsentRow] = []
        for unit in try store.catalog.units.outlines(of: row.id)
        where unit.state == .stored && !unit.isInBucket {
            let name = UnitJob.fileName(unit.kind, unit.number, container: row.container)
            let size = try FileSystem.size(ofFile: folder.appending(name))
            guard size == nil || size != unit.size else { continue }
            gone.append(
                AbsentRow(
                    rendition: row.id, kind: unit.kind, number: unit.number,
                    finding: size == nil ? .gone : .damaged))
        }
        return gone
    }

    /// Makes missing playlists again. A user may have deleted a folder, or an engine may have been killed after it
    /// had freed media and before it had made playlists.
    private func restorePlaylists(_ rows: [RenditionRecord]) throws(StoreError) {
        let isMissing = rows.contains { row in
            guard row.failure == nil, row.hasPlaylist else { return false }
            let folder = store.paths.rendition(token, row.name)
            return FileSystem.facts(folder.appending(ServedMediaPlaylist.fileName))?.isRegular != true
        }
        guard isMissing else { return }
        try store.playlists(of: token).restore()
    }

    /// The units that are not stored; other files in their folders are deleted.
    func missingUnits() throws(StoreError) -> [UnitJob] {
        var jobs: [UnitJob] = []
        for rendition in try store.renditions(of: token) where rendition.isFetched {
            let folder = store.paths.rendition(token, rendition.name)
            try FileSystem.makeDirectory(folder)
            let units = try store.catalog.units.all(of: rendition.id, states: [.missing, .lost])
            let own = units.map { UnitJob(unit: $0, rendition: rendition) }
            PartialFile.removeOrphans(in: folder, except: Set(own.map(\.partName)))
            jobs += own
        }
        return jobs
    }
}

extension RenditionRecord {
    /// Whether its units come from the origin, and it was not given up. A file that the user gave can't be fetched.
    package var isFetched: Bool { failure == nil && hasPlaylist && sourceFile == nil }
}
