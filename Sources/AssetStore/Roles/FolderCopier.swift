internal import SystemPackage

/// Copies units from the folder of an imported asset into the store.
struct FolderCopier: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault
    let committer: SegmentCommitter

    /// Copies everything that an asset lacks.
    func copyAll(of token: AssetToken, from folder: LocalFolder) async throws(StoreError) {
        let looks = UnitInspectors(token, catalog: catalog, paths: paths, vault: vault)
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] where rendition.hasPlaylist {
            var finished: [FinishedUnit] = []
            for unit in try catalog.units.all(of: rendition.id, states: [.missing]) {
                finished.append(
                    try copy(UnitJob(unit: unit, rendition: rendition), of: token, from: folder, looks))
                guard finished.count == SegmentCommitter.largestGroup else { continue }
                try await committer.commit(finished)
                finished = []
            }
            try await committer.commit(finished)
        }
    }

    /// Copies units. If one fails, none of them has a file afterwards.
    func copy(
        _ group: [UnitJob], of token: AssetToken, from folder: LocalFolder
    ) throws(StoreError) -> [FinishedUnit] {
        var finished: [FinishedUnit] = []
        let looks = UnitInspectors(token, catalog: catalog, paths: paths, vault: vault)
        do throws(StoreError) {
            for job in group { finished.append(try copy(job, of: token, from: folder, looks)) }
        } catch {
            for job in group {
                try? FileSystem.unlink(paths.rendition(token, job.rendition.name).appending(job.partName))
            }
            throw error
        }
        return finished
    }

    /// Copies a unit, and checks that it has the same bytes as an earlier copy.
    private func copy(
        _ job: UnitJob, of token: AssetToken, from folder: LocalFolder, _ looks: UnitInspectors
    ) throws(StoreError) -> FinishedUnit {
        let target = paths.rendition(token, job.rendition.name)
        let file = try PartialFile(creating: target.appending(job.partName))
        try FilePieces.read(try folder.path(job.unit.url), job.unit.range) { piece throws(StoreError) in
            try file.append(piece)
        }
        if let length = job.unit.range?.length, length != file.watermark {
            throw StoreError(.integrity(.length(expected: length, actual: file.watermark)), url: job.unit.url)
        }
        let copied = file.sha256
        let fetched = try Self.unwrapped(file, try looks.inspector(of: job))
        // Older versions stored media with their disguise, so the hash before unwrapping counts, too.
        guard job.unit.sha256.map({ $0 == copied || $0 == file.sha256 }) ?? true else {
            throw StoreError(.integrity(.changed), url: job.unit.url)
        }
        let unit = StoredUnit(
            rendition: job.rendition.id, kind: job.unit.kind, number: job.unit.number, size: file.watermark,
            sha256: file.sha256, finding: fetched.finding, disguise: fetched.disguise)
        return FinishedUnit(file: file, destination: target.appending(job.fileName), unit: unit)
    }

    /// Reads a copied file, and removes bytes that hide its media from players.
    private static func unwrapped(
        _ file: PartialFile, _ inspector: UnitInspector
    ) throws(StoreError) -> FetchedUnit {
        let finding = inspector.finding(try inspector.verdict(of: PartialBytes(file: file)))
        let isHidden = finding == .undecodable || finding == .unknown
        if isHidden, let fetched = try inspector.unwrapped(file) { return fetched }
        return FetchedUnit(finding: finding)
    }
}
