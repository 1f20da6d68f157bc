internal import Locking
internal import SystemPackage

/// Moves the store of a shared catalog and its bucket into a folder.
struct StoreReturn {
    let plan: StoreMigration
    let file: MigrationFile
    let shared: Catalog
    let carrier: BucketCarrier
    private var paths: StorePaths { plan.paths }

    func run() async throws(StoreError) -> StoreMigration.Report {
        var report = StoreMigration.Report()
        guard let note = try begin() else {
            report.wasDone = true
            return report
        }
        try plan.settle(paths, shared)
        let vault = try KeyVault.opened(in: paths, for: shared)
        shared.useAddressSealer(AddressSealer(vault))
        try paths.makeFolders()
        try await copyMedia(&report)
        try shared.migration.setNote(note.with(.handingOver))
        let own = try Catalog(writing: paths.catalog)
        defer { own.close() }
        StoreMigration.pass("noted")
        try copyRows(to: own, &report)
        StoreMigration.pass("rows")
        try file.write(MigrationNote(id: note.id, state: .arrived, place: plan.address.shown))
        try shared.migration.setNote(note.with(.left))
        try report.noteAbsent(in: own, at: SystemWallClock().now)
        return report
    }

    /// Writes the notes of both stores, or continues with the notes of an earlier run.
    ///
    /// - Returns: the note of the shared catalog; `nil` if the store was moved before.
    private func begin() throws(StoreError) -> MigrationNote? {
        let (known, other) = (try file.note, try shared.migration.note())
        if let place = try shared.storage.mediaPlace(), place != carrier.place {
            throw StoreError(.mediaElsewhere(place))
        }
        var id = MigrationNote.freshID()
        switch known?.state {
        case .arriving where known?.place == plan.address.shown: id = known?.id ?? id
        case .arriving: try file.check()
        case .arrived where known?.id == other?.id && [.handingOver, .left].contains(other?.state):
            id = known?.id ?? id
        case nil where isEmpty: break
        default: throw StoreError(.notEmpty(paths.root.string))
        }
        let note = MigrationNote(id: id, state: .leaving, place: plan.folderName)
        if let other, other.id != id, let refusal = other.refusal(undo: MigrationRow.undo) { throw refusal }
        if known?.state == .arrived {
            try shared.migration.setNote(note.with(.left))
            return nil
        }
        try file.write(MigrationNote(id: id, state: .arriving, place: plan.address.shown))
        if other?.id != id { try shared.migration.setNote(note) }
        return note
    }

    /// Whether the folder holds no store: at most a store key, an API token and settings.
    private var isEmpty: Bool { !paths.isMade && FileSystem.names(in: paths.assets).isEmpty }

    // MARK: Media

    private func copyMedia(_ report: inout StoreMigration.Report) async throws(StoreError) {
        let tokens = try shared.migration.tokens()
        report.assets = tokens.count
        let total = try shared.migration.stored().bytes
        var done: Int64 = 0
        for token in tokens {
            let rows = try shared.renditions.all(of: [token])[token] ?? []
            try makeFolders(of: token, rows)
            try await plan.copy(try units(of: token, rows), done: &done, total: total, to: &report) {
                [carrier] unit throws(StoreError) in try await Self.fetch(unit, carrier)
            }
            try writePlaylists(of: token)
            for row in rows where row.hasPlaylist {
                try FileSystem.syncDirectory(paths.rendition(token, row.name))
            }
            try FileSystem.syncDirectory(paths.asset(token))
        }
        try FileSystem.syncDirectory(paths.assets)
    }

    private static func fetch(
        _ unit: MovingUnit, _ carrier: BucketCarrier
    ) async throws(StoreError) -> StoreMigration.Outcome {
        if try unit.fault() == nil { return .known }
        let fault = try await carrier.download(
            unit.key(unit.job.unit.object ?? ""), size: unit.size, sha256: unit.sha256, to: unit.path)
        return fault.map(StoreMigration.Outcome.absent) ?? .copied
    }

    /// The units whose objects have to be fetched.
    private func units(
        of token: AssetToken, _ rows: [RenditionRecord]
    ) throws(StoreError) -> [MovingUnit] {
        var units: [MovingUnit] = []
        for row in rows where row.sourceFile == nil {
            for unit in try shared.units.all(of: row.id, states: [.stored]) {
                guard let unit = MovingUnit(UnitJob(unit: unit, rendition: row), of: token, in: paths) else {
                    continue
                }
                units.append(unit)
            }
        }
        return units
    }

    private func makeFolders(of token: AssetToken, _ rows: [RenditionRecord]) throws(StoreError) {
        try FileSystem.makeDirectory(paths.asset(token))
        for row in rows where row.hasPlaylist || row.sourceFile != nil {
            try FileSystem.makeDirectory(paths.rendition(token, row.name))
        }
    }

    /// Writes the files that the shared catalog keeps, and the playlists, which are generated from it.
    private func writePlaylists(of token: AssetToken) throws(StoreError) {
        let kept = try shared.shared.files(of: token)
        let names = Set(kept.map(\.path))
        let made = try BundlePlaylists(catalog: shared, paths: paths, token: token).made(
            skipsUnreadable: true)
        let files = kept + made.filter { !names.contains($0.name) }.map { (path: $0.name, body: $0.bytes) }
        for file in files {
            let path = paths.asset(token).pushing(FilePath(file.path))
            guard (try? DurableWrite.read(path)) != file.body else { continue }
            try FileSystem.makeDirectory(path.parent)
            try DurableWrite.write(file.body, to: path)
        }
    }

    // MARK: Rows

    private func copyRows(to own: Catalog, _ report: inout StoreMigration.Report) throws(StoreError) {
        let times = try folderTimes()
        let changes = CatalogCopy.Changes(
            object: { _ in nil }, folderTime: { times[$0] }, mediaPlace: nil)
        let step = plan.step
        report.rows = try CatalogCopy(from: shared, to: own, changes) { step(.rows($0)) }.run { _ in }
    }

    /// The times at which the folders with media last changed, by the `id` of the rendition. They show later whether
    /// another program has changed a folder.
    private func folderTimes() throws(StoreError) -> [Int64: Int64] {
        var times: [Int64: Int64] = [:]
        for token in try shared.migration.tokens() {
            for row in try shared.renditions.all(of: [token])[token] ?? [] where row.storedSegments > 0 {
                times[row.id] = FileSystem.folderTime(paths.rendition(token, row.name))?.nanoseconds
            }
        }
        return times
    }
}
