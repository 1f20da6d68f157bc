internal import SystemPackage

extension AssetDownload {
    /// Takes back that units are stored whose files somebody has deleted or cut while nothing ran: what is complete in the
    /// end is there.
    func noteDamage() throws(StoreError) {
        for row in try context.catalog.renditions(of: [token])[token] ?? [] where row.storedBytes > 0 {
            let folder = context.paths.rendition(token, row.name)
            let gone = try context.catalog.outlines(of: row.id).filter { unit in
                guard unit.state == .stored else { return false }
                let name = UnitJob.fileName(unit.kind, unit.number, row.container)
                let facts = FileSystem.facts(folder.appending(name))
                return facts?.isRegular != true || facts?.size != unit.size
            }
            if gone.isEmpty { continue }
            try context.catalog.markAbsent(gone.map { (row.id, $0.kind, $0.number) }, as: .missing)
        }
    }
}

extension RenditionRecord {
    /// Whether its units come from the origin, and it was not given up. A file that the user gave can't be fetched.
    var isFetched: Bool { failure == nil && hasPlaylist && sourceFile == nil }
}
