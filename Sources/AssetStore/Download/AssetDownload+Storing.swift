internal import SystemPackage

// What becomes of a unit that has come.

extension AssetDownload {
    /// Has a whole unit made durable and entered. What can't be is thrown away, never flushed again: after a flush that
    /// failed, the next one says that all is well, though the disk does not have all.
    func commit(_ job: UnitJob, _ file: PartialFile) async -> Event {
        let destination = folder(of: job).appending(job.fileName)
        let unit = StoredUnit(
            rendition: job.rendition.id, kind: job.unit.kind, number: job.unit.number, size: file.watermark,
            sha256: file.sha256)
        defer { context.arriving.end(UnitKey(token: token, place: job.place)) }
        do throws(StoreError) {
            try await context.committer.commit(.init(file: file, destination: destination, unit: unit))
            file.dropHead()
            meter.noteKept()
            return .committed
        } catch {
            file.leave(isWorthKeeping: false)
            return .notCommitted(job, error)
        }
    }

    /// Keeps what has come of a unit, if a later transfer can go on from it.
    func leave(_ file: PartialFile, after error: StoreError) {
        let isKept = file.leave(isWorthKeeping: error.isWorthGoingOn)
        // What was stopped tells nothing of its address.
        if isKept, file.hasGrown, !error.isStopped { meter.noteKept() }
    }

    /// Puts a unit that the disk did not take back into the queue, once in a run.
    ///
    /// - Throws: `error`, when it is the second one of the unit or one that concerns all units.
    func tryAgain(_ job: UnitJob, after error: StoreError, _ progress: inout Progress) throws(StoreError) {
        guard error.isOfFiles, progress.triedAgain.insert(job.place).inserted else { throw error }
        if !Task.isCancelled { try clearTheWay(for: job, &progress) }
        progress.queue.putBack(job)
    }

    /// Takes away what is no file where the unit's file is to be. A folder that somebody has deleted is made again, with
    /// its playlist.
    private func clearTheWay(for job: UnitJob, _ progress: inout Progress) throws(StoreError) {
        let folder = folder(of: job)
        guard FileSystem.isDirectory(folder) else {
            progress.hasLostFolder = true
            try BundlePlaylists(catalog: context.catalog, paths: context.paths, token: token).restore()
            return try FileSystem.makeDirectory(folder)
        }
        for path in [folder.appending(job.partName), folder.appending(job.fileName)] {
            guard FileSystem.facts(path)?.isRegular == false else { continue }
            try FileSystem.removeTree(path)
        }
    }

    private func folder(of job: UnitJob) -> FilePath {
        context.paths.rendition(token, job.rendition.name)
    }
}

extension StoreError {
    /// Whether it is the trouble of a file or folder, and not of the store.
    var isOfFiles: Bool {
        switch code {
        case .file, .tooManyFiles: true
        default: false
        }
    }
}
