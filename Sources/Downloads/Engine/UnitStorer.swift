internal import SystemPackage

/// Has the units of an asset that have come made durable and entered.
struct UnitStorer: Sendable {
    let token: AssetToken
    let store: StoreAccess
    let committer: SegmentCommitter
    let inspectors: UnitInspectors
    let meter: ByteMeter
    let arriving: ArrivingUnits
    private let samples = VersionSamples()

    init(
        _ token: AssetToken, store: StoreAccess, committer: SegmentCommitter, inspectors: UnitInspectors,
        meter: ByteMeter, arriving: ArrivingUnits
    ) {
        (self.token, self.store, self.committer) = (token, store, committer)
        (self.inspectors, self.meter, self.arriving) = (inspectors, meter, arriving)
    }

    /// Makes a whole unit durable and enters it. After an error the unit is thrown away, and its flush is never
    /// repeated: the next flush would succeed although the disk does not have all bytes.
    func commit(_ job: UnitJob, _ file: PartialFile, fetched: FetchedUnit) async -> RunEvent {
        Trace.pass(.store, UnitKey(token: token, unit: job.id).traced)
        let destination = store.folder(of: job, token).appending(job.fileName)
        var unit = StoredUnit(
            rendition: job.rendition.id, kind: job.unit.kind, number: job.unit.number, size: file.watermark,
            sha256: file.sha256, finding: fetched.finding, disguise: fetched.disguise)
        if job.unit.kind == .segment, samples.takes(job.rendition.id) { unit.version = file.validator }
        defer { arriving.end(UnitKey(token: token, unit: job.id)) }
        do throws(StoreError) {
            try await committer.commit(.init(file: file, destination: destination, unit: unit))
            file.dropHead()
            meter.noteKept()
            for (finding, units) in try inspectors.late(after: job) {
                try store.catalog.health.setFinding(finding, of: units, token, at: store.now)
            }
            return .committed(strangers: try takeBackStrangers(after: job))
        } catch {
            file.leave(isWorthKeeping: false)
            return .notCommitted(job, error)
        }
    }

    /// Marks stored units that do not match this one as missing. They are fetched again and judged beside it.
    private func takeBackStrangers(after job: UnitJob) throws(StoreError) -> [UnitJob] {
        let strangers = try inspectors.strangers(after: job)
        guard !strangers.isEmpty else { return [] }
        let rows = strangers.map { AbsentRow($0.unit, of: $0.rendition, isGone: true) }
        try store.catalog.units.markAbsent(rows)
        for stranger in strangers {
            try? FileSystem.unlink(store.folder(of: stranger, token).appending(stranger.fileName))
        }
        return strangers
    }
}

/// The units that a run has fetched once more because the disk failed.
struct DiskRetries {
    private var retried: Set<UnitID> = []
    /// Whether the folder of a rendition was deleted, with stored units in it.
    private(set) var hasLostFolder = false

    /// Lets a unit be fetched once more, with its way cleared.
    ///
    /// - Throws: `error`, when it is the second one of the unit or one that concerns all units.
    mutating func retry(
        _ job: UnitJob, after error: StoreError, clearing way: DiskWay
    ) throws(StoreError) {
        guard error.isOfFiles, retried.insert(job.id).inserted else { throw error }
        if !Task.isCancelled, try way.clear(for: job) { hasLostFolder = true }
    }

    /// The retries for the next round. Each unit in them has had its second try, so that rounds come to an end.
    var ofNextRound: DiskRetries {
        var next = self
        next.hasLostFolder = false
        return next
    }
}

/// The folders for the files of an asset's units.
struct DiskWay {
    let token: AssetToken
    let store: StoreAccess

    /// Removes anything but a file from the place of a unit's file. A folder that was deleted is made again, with its
    /// playlist.
    ///
    /// - Returns: whether its folder was missing.
    func clear(for job: UnitJob) throws(StoreError) -> Bool {
        let folder = store.folder(of: job, token)
        guard FileSystem.isDirectory(folder) else {
            try store.playlists(of: token).restore()
            try FileSystem.makeDirectory(folder)
            return true
        }
        for path in [folder.appending(job.partName), folder.appending(job.fileName)] {
            guard FileSystem.facts(path)?.isRegular == false else { continue }
            try FileSystem.removeTree(path)
        }
        return false
    }
}

extension StoreError {
    /// Whether it is an error of a file or folder, not of the whole store.
    package var isOfFiles: Bool {
        switch code {
        case .file, .tooManyFiles: true
        default: false
        }
    }
}
