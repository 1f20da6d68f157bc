internal import SystemPackage

extension AssetDownload {
    /// Takes back that units are stored whose files somebody has deleted or cut while nothing ran, and makes playlists
    /// and the tracks of subtitle files again: what is complete in the end is there.
    ///
    /// - Throws: also why nobody can look at the files.
    package func noteDamage() throws(StoreError) {
        let rows = try context.catalog.renditions.all(of: [token])[token] ?? []
        try restorePlaylists(rows)
        for row in rows where row.storedBytes > 0 {
            let folder = context.paths.rendition(token, row.name)
            var gone: [AbsentRow] = []
            for unit in try context.catalog.units.outlines(of: row.id) where unit.state == .stored {
                let name = UnitJob.fileName(unit.kind, unit.number, row.container)
                let size = try FileSystem.size(ofFile: folder.appending(name))
                guard size == nil || size != unit.size else { continue }
                gone.append(
                    AbsentRow(
                        rendition: row.id, kind: unit.kind, number: unit.number,
                        finding: size == nil ? .gone : .damaged))
            }
            if gone.isEmpty { continue }
            try context.catalog.units.markAbsent(gone)
        }
        try SubtitleFileTracks(catalog: context.catalog, paths: context.paths, token: token).restoreOrGiveUp()
    }

    /// Somebody may have deleted a folder, or an engine was killed between freeing what is stored and making playlists
    /// again.
    private func restorePlaylists(_ rows: [RenditionRecord]) throws(StoreError) {
        let isMissing = rows.contains { row in
            guard row.failure == nil, row.hasPlaylist else { return false }
            let folder = context.paths.rendition(token, row.name)
            return FileSystem.facts(folder.appending(ServedMediaPlaylist.fileName))?.isRegular != true
        }
        guard isMissing else { return }
        try BundlePlaylists(catalog: context.catalog, paths: context.paths, token: token).restore()
    }
}

extension RenditionRecord {
    /// Whether its units come from the origin, and it was not given up. A file that the user gave can't be fetched.
    package var isFetched: Bool { failure == nil && hasPlaylist && sourceFile == nil }
}
