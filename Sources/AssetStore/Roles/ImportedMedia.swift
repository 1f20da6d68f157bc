internal import Locking
internal import SystemPackage

/// The media of imported assets, which come from a folder: no origin can be asked for what they lack.
struct ImportedMedia: Sendable {
    let catalog: Catalog
    let copier: FolderCopier
    let keeper: StorageKeeper
    let remover: AssetRemover
    let returning: ReturningAssets
    let turns: Turns
    /// The threads that copy files.
    let threads: WorkPool

    /// Copies the missing files of an imported asset from its folder, either all or none, unless the asset is
    /// cancelled during the copy.
    func bringBack(
        _ way: ReturningAssets.Return, from folder: LocalFolder
    ) async throws(StoreError) {
        await turns.take(way.token)
        defer { turns.release(way.token) }
        do throws(StoreError) {
            try await copyLacking(way, from: folder)
        } catch {
            // The target folder may have been deleted after a cancellation.
            if returning.isWanted(way) { throw error }
        }
        // Files that were copied after the purge are deleted now, or later with other media of cancelled assets.
        if returning.isPurged(way) { try? remover.purge(way.token) }
    }

    private func copyLacking(
        _ way: ReturningAssets.Return, from folder: LocalFolder
    ) async throws(StoreError) {
        let jobs = try lacking(way.token)
        try await threads.runWhileWanted { [returning] isWanted throws(StoreError) in
            try Self.check(jobs, in: folder) { isWanted() && returning.isWanted(way) }
        }
        guard !jobs.isEmpty else { return }
        // The asset was probably evicted first. Other assets are evicted now, since otherwise this one would be
        // evicted again.
        _ = try keeper.makesRoom(for: jobs.reduce(0) { $0 + ($1.unit.size ?? 0) })
        try await copy(jobs, way, from: folder)
    }

    /// The units that are not stored, except those of added files.
    func lacking(_ token: AssetToken) throws(StoreError) -> [UnitJob] {
        var jobs: [UnitJob] = []
        for rendition in try catalog.renditions.all(of: [token])[token] ?? []
        where rendition.hasPlaylist && rendition.sourceFile == nil {
            for unit in try catalog.units.all(of: rendition.id, states: [.missing, .lost]) {
                jobs.append(UnitJob(unit: unit, rendition: rendition))
            }
        }
        return jobs
    }

    private static func check(
        _ jobs: [UnitJob], in folder: LocalFolder, while isWanted: () -> Bool
    ) throws(StoreError) {
        var first: String?
        var lost: Set<String> = []
        for job in jobs {
            guard isWanted() else { throw StoreError(.stopped(.cancelled)) }
            guard try !folder.has(job.copied) else { continue }
            first = first ?? LocalFolder.name(job.unit.url)
            lost.insert(job.unit.url)
        }
        if let first { throw StoreError(.notInSource(first, others: lost.count - 1)) }
    }

    private func copy(
        _ jobs: [UnitJob], _ way: ReturningAssets.Return, from folder: LocalFolder
    ) async throws(StoreError) {
        for start in stride(from: 0, to: jobs.count, by: SegmentCommitter.largestGroup) {
            guard returning.isWanted(way) else { return }
            let group = Array(jobs[start...].prefix(SegmentCommitter.largestGroup))
            let finished = try await threads.runWhileWanted { _ throws(StoreError) in
                try copier.copy(group, of: way.token, from: folder)
            }
            try await copier.committer.commit(finished)
        }
    }
}

extension UnitJob {
    /// The unit to look for in the folder. If a disguise was removed, its size and hash are unknown there.
    fileprivate var copied: UnitRecord {
        guard rendition.disguise != nil else { return unit }
        var unit = unit
        (unit.size, unit.sha256) = (nil, nil)
        return unit
    }
}
