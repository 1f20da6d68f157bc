internal import HLSPlaylist
internal import SystemPackage

/// What a download works with; shared by all assets of a store.
struct DownloadContext: Sendable {
    let catalog: Catalog
    let committer: SegmentCommitter
    let paths: StorePaths
    let clock: any WallClock
    let arriving: ArrivingUnits
    var transfersPerAsset = 16
    /// Waits so many seconds before something is tried again.
    var pause: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
}

/// Fetches what is missing of one asset. One run; everything it achieves is in the catalog.
final class AssetDownload: Sendable {
    private let context: DownloadContext
    private let origin: Origin
    private let token: AssetToken
    private let meter: ByteMeter
    static let uncommittedLimit = 64

    init(_ token: AssetToken, origin: Origin, meter: ByteMeter, context: DownloadContext) {
        self.meter = meter
        self.token = token
        self.origin = origin
        self.context = context
    }

    private enum Event: Sendable {
        case fetched(UnitJob, PartialFile)
        case committed
        case failed(UnitJob, StoreError)
        case notCommitted(StoreError)
    }

    /// What a run keeps account of.
    private struct Progress {
        var queue: UnitQueue
        var parallelism: ParallelismController
        var transfers = 0
        var commits = 0
        /// Units that the origin did not have; asked for once more at the end.
        var postponed: [UnitJob] = []
        var isSecondRound = false
        /// What makes the asset fail in the end, though the rest goes on.
        var failure: StoreError?
    }

    /// Fetches until nothing is missing.
    ///
    /// - Throws: the first error that concerns a required rendition, after everything else is stored.
    func run() async throws(StoreError) {
        var progress = Progress(
            queue: UnitQueue(try missingUnits()),
            parallelism: ParallelismController(maximum: context.transfersPerAsset))
        let fatal = await withTaskGroup(of: Event.self, returning: StoreError?.self) { group in
            refill(&group, &progress)
            while let event = await group.next() {
                do throws(StoreError) {
                    try handle(event, &group, &progress)
                } catch {
                    group.cancelAll()
                    return error
                }
                refill(&group, &progress)
            }
            return nil
        }
        if let error = fatal ?? progress.failure { throw error }
        if Task.isCancelled, try !missingUnits().isEmpty { throw StoreError(.stopped) }
    }

    private func missingUnits() throws(StoreError) -> [UnitJob] {
        let renditions = try context.catalog.renditions(of: [token])[token] ?? []
        var jobs: [UnitJob] = []
        for rendition in renditions where rendition.failure == nil && rendition.hasPlaylist {
            try FileSystem.makeDirectory(context.paths.rendition(token, rendition.name))
            for unit in try context.catalog.units(of: rendition.id, states: [.missing, .lost]) {
                jobs.append(UnitJob(unit: unit, rendition: rendition))
            }
        }
        return jobs
    }

    private func refill(_ group: inout TaskGroup<Event>, _ progress: inout Progress) {
        while !group.isCancelled, progress.transfers < progress.parallelism.limit,
            progress.commits < Self.uncommittedLimit
        {
            guard let job = progress.queue.next() ?? secondRound(&progress) else { return }
            progress.transfers += 1
            group.addTask { await self.fetch(job) }
        }
    }

    private func secondRound(_ progress: inout Progress) -> UnitJob? {
        guard progress.transfers == 0, !progress.isSecondRound, !progress.postponed.isEmpty else {
            return nil
        }
        progress.isSecondRound = true
        progress.queue = UnitQueue(progress.postponed)
        return progress.queue.next()
    }

    private func fetch(_ job: UnitJob) async -> Event {
        let folder = context.paths.rendition(token, job.rendition.name)
        do throws(StoreError) {
            let file = try PartialFile(creating: folder.appending(".\(job.fileName).part"))
            let key = UnitKey(
                token: token, rendition: job.rendition.name, kind: job.unit.kind, number: job.unit.number)
            context.arriving.begin(key, file)
            do throws(StoreError) {
                try await SegmentFetch(
                    origin: origin, unit: job.unit, file: file, meter: meter,
                    checksContainer: !job.unit.isEncrypted, sleep: context.pause
                ).run()
            } catch {
                file.finish(.failed)
                context.arriving.end(key)
                try? FileSystem.unlink(file.path)
                throw error
            }
            return .fetched(job, file)
        } catch {
            return .failed(job, error)
        }
    }

    private func commit(_ job: UnitJob, _ file: PartialFile) async -> Event {
        let destination = context.paths.rendition(token, job.rendition.name).appending(job.fileName)
        let unit = StoredUnit(
            rendition: job.rendition.id, kind: job.unit.kind, number: job.unit.number, size: file.watermark,
            sha256: file.sha256)
        let key = UnitKey(
            token: token, rendition: job.rendition.name, kind: job.unit.kind, number: job.unit.number)
        defer { context.arriving.end(key) }
        do throws(StoreError) {
            try await context.committer.commit(.init(file: file, destination: destination, unit: unit))
            return .committed
        } catch {
            try? FileSystem.unlink(file.path)
            return .notCommitted(error)
        }
    }

    private func handle(
        _ event: Event, _ group: inout TaskGroup<Event>, _ progress: inout Progress
    ) throws(StoreError) {
        switch event {
        case .fetched(let job, let file):
            file.finish(.complete)
            progress.transfers -= 1
            progress.commits += 1
            progress.parallelism.transferEnded(totalBytes: meter.total, now: SteadyClock.seconds)
            group.addTask { await self.commit(job, file) }
        case .committed: progress.commits -= 1
        case .notCommitted(let error): throw error
        case .failed(let job, let error):
            progress.transfers -= 1
            try failed(job, error, &progress)
        }
    }

    private func failed(_ job: UnitJob, _ error: StoreError, _ progress: inout Progress) throws(StoreError) {
        switch error.errorClass {
        case .disk, .engine: throw error
        default: break
        }
        if case .status(404, _) = error.code, !progress.isSecondRound {
            return progress.postponed.append(job)
        }
        if job.rendition.required { return try lostRequired(error, &progress) }
        progress.queue.drop(rendition: job.rendition.id)
        try context.catalog.setFailure(error.message, ofRendition: job.rendition.id)
    }

    /// What the origin has no more, or has in pieces, concerns one segment, and the rest is still worth having.
    /// Anything else would meet every segment in the same way.
    private func lostRequired(_ error: StoreError, _ progress: inout Progress) throws(StoreError) {
        switch error.errorClass {
        case .http where !error.isRetryable, .integrity: progress.failure = progress.failure ?? error
        default: throw error
        }
    }
}
