internal import SidebandSubtitles
internal import SystemPackage

/// The tracks of an asset that are made of subtitle files, which only the user has.
package struct SubtitleFileTracks {
    package let catalog: Catalog
    package let paths: StorePaths
    package let token: AssetToken

    package init(catalog: Catalog, paths: StorePaths, token: AssetToken) {
        self.catalog = catalog
        self.paths = paths
        self.token = token
    }

    /// Makes missing or damaged tracks again from the given files, if that is possible.
    @discardableResult
    package func restore() throws(StoreError) -> Int {
        var count = 0
        for row in try rows() {
            guard try !isSound(row), let file = try? original(of: row) else { continue }
            try write(file, as: row)
            count += 1
        }
        return count
    }

    /// Makes tracks again that are not stored. A track that can't be made is given up, so that players do not wait
    /// forever.
    package func restoreOrGiveUp() throws(StoreError) {
        for row in try rows() where row.failure == nil {
            guard try catalog.units.unit(of: row.id, .segment, 0)?.state != .stored else { continue }
            let file: SubtitleFile
            do throws(StoreError) {
                file = try original(of: row)
            } catch {
                if case .tooManyFiles = error.code { throw error }
                try catalog.renditions.setFailure(error.message, ofRendition: row.id)
                continue
            }
            try write(file, as: row)
        }
    }

    private func rows() throws(StoreError) -> [RenditionRecord] {
        (try catalog.renditions.all(of: [token])[token] ?? []).filter { $0.sourceFile != nil }
    }

    /// Whether a track's file matches the catalog.
    private func isSound(_ row: RenditionRecord) throws(StoreError) -> Bool {
        let folder = paths.rendition(token, row.name)
        guard let unit = try catalog.units.unit(of: row.id, .segment, 0), unit.state == .stored,
            let bytes = try? DurableWrite.read(folder.appending(AddedSubtitles.trackName))
        else { return false }
        return AddedSubtitles.unit(bytes, of: row.id, in: folder).sha256 == unit.sha256
    }

    /// The file as the user gave it.
    private func original(of row: RenditionRecord) throws(StoreError) -> SubtitleFile {
        let path = paths.rendition(token, row.name).appending(row.sourceFile ?? "")
        guard let bytes = try DurableWrite.read(path, limit: SubtitleSource.sizeLimit) else {
            throw .system(.open, path, reason: .noSuchFileOrDirectory)
        }
        return try ReadSubtitles.parsed(bytes, row.sourceFile ?? row.name)
    }

    private func write(_ file: SubtitleFile, as row: RenditionRecord) throws(StoreError) {
        let asset = try catalog.assets.asset(token)
        let part = file.track.part(from: asset?.selection.partStart ?? 0, length: asset?.partLength)
        let folder = paths.rendition(token, row.name)
        let bytes = WebVTTWriter().bytes(of: part)
        try DurableWrite.write(bytes, to: folder.appending(AddedSubtitles.trackName))
        try paths.media?.keep(bytes, at: "\(row.name)/\(AddedSubtitles.trackName)", of: token)
        // Another version of the program may make other bytes, so the unit gets a new size and hash.
        try catalog.units.markAbsent([AbsentRow(rendition: row.id, kind: .segment, number: 0, finding: .gone)]
        )
        try catalog.units.markStored([AddedSubtitles.unit(bytes, of: row.id, in: folder)])
    }
}
