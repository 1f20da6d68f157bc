internal import SystemPackage

// How a unit comes, and what becomes of it then.

extension AssetDownload {
    /// Fetches a unit into its file, until it is whole or can't be had.
    package func fetch(_ job: UnitJob, _ file: PartialFile, _ leash: TransferLeash) async -> Event {
        do throws(StoreError) {
            let inspector = try inspectors.inspector(of: job)
            let fetched = try await UnitTransfer(
                job: job, file: file, failOver: failOver, pause: context.pause(for: token)
            ) { unit, tries, isOwn in
                SegmentFetch(
                    origin: self.origin, unit: unit, file: file, meter: self.meter,
                    inspector: inspector, leash: leash,
                    habits: isOwn ? self.habits : OriginHabits(), tries: tries, sleep: self.context.pause,
                    retriesMissing: self.isLive, blank: job.blank, limit: job.unmeasuredLimit,
                    reporter: ActivityReporter(
                        board: self.context.board, token: self.token, part: job.place.description))
            }.run()
            return .fetched(job, file, fetched)
        } catch {
            file.finish(.failed(error))
            context.arriving.end(UnitKey(token: token, place: job.place))
            leave(file, after: error)
            return .failed(job, error)
        }
    }

    /// Has a whole unit made durable and entered. What can't be is thrown away, never flushed again: after a flush that
    /// failed, the next one says that all is well, though the disk does not have all.
    package func commit(_ job: UnitJob, _ file: PartialFile, _ fetched: FetchedUnit) async -> Event {
        let destination = folder(of: job).appending(job.fileName)
        var unit = StoredUnit(
            rendition: job.rendition.id, kind: job.unit.kind, number: job.unit.number, size: file.watermark,
            sha256: file.sha256, finding: fetched.finding, disguise: fetched.disguise)
        if job.unit.kind == .segment, samples.takes(job.rendition.id) { unit.version = file.validator }
        defer { context.arriving.end(UnitKey(token: token, place: job.place)) }
        do throws(StoreError) {
            try await context.committer.commit(.init(file: file, destination: destination, unit: unit))
            file.dropHead()
            meter.noteKept()
            for (finding, units) in try inspectors.late(after: job) {
                try context.catalog.health.setFinding(finding, of: units, token, at: context.clock.now)
            }
            return .committed(strangers: try takeBackStrangers(after: job))
        } catch {
            file.leave(isWorthKeeping: false)
            return .notCommitted(job, error)
        }
    }

    /// Takes back that units are stored which do not go with this one. They are fetched again, and judged beside it.
    private func takeBackStrangers(after job: UnitJob) throws(StoreError) -> [UnitJob] {
        let strangers = try inspectors.strangers(after: job)
        guard !strangers.isEmpty else { return [] }
        let rows = strangers.map { AbsentRow($0.unit, of: $0.rendition, isGone: true) }
        try context.catalog.units.markAbsent(rows)
        for stranger in strangers {
            try? FileSystem.unlink(folder(of: stranger).appending(stranger.fileName))
        }
        return strangers
    }

    /// Keeps what has come of a unit, if a later transfer can go on from it.
    package func leave(_ file: PartialFile, after error: StoreError) {
        let isKept = file.leave(isWorthKeeping: error.isWorthGoingOn)
        // What was stopped tells nothing of its address.
        if isKept, file.hasGrown, !error.isStopped { meter.noteKept() }
    }

    /// Puts a unit that the disk did not take back into the queue, once in a run.
    ///
    /// - Throws: `error`, when it is the second one of the unit or one that concerns all units.
    package func tryAgain(_ job: UnitJob, after error: StoreError, _ progress: inout Progress)
        throws(StoreError)
    {
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
    package var isOfFiles: Bool {
        switch code {
        case .file, .tooManyFiles: true
        default: false
        }
    }
}
