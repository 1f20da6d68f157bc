internal import Locking
internal import SystemPackage

/// Moves the store of a folder into a shared catalog and a bucket.
struct StoreSharing {
    let plan: StoreMigration
    let file: MigrationFile
    let shared: Catalog
    let carrier: BucketCarrier
    private var paths: StorePaths { plan.paths }

    func run() async throws(StoreError) -> StoreMigration.Report {
        guard paths.isMade else { throw StoreError(.noStore(paths.root.string)) }
        let own = try open()
        defer { own.close() }
        var report = StoreMigration.Report()
        guard let (note, isNew) = try await begin(own) else {
            report.wasDone = true
            return report
        }
        try plan.settle(paths, shared)
        try await copyMedia(of: own, note, isNew: isNew, &report)
        try file.write(note.with(.handingOver))
        StoreMigration.pass("noted")
        try copyRows(of: own, note, &report)
        StoreMigration.pass("rows")
        try file.write(note.with(.left))
        try report.noteAbsent(in: shared, at: shared.time())
        return report
    }

    /// Opens the catalog of the folder, and brings it into this version's format.
    private func open() throws(StoreError) -> Catalog {
        let own = try Catalog(writing: paths.catalog)
        do throws(StoreError) {
            own.useAddressSealer(AddressSealer(try KeyVault.opened(in: paths, for: own)))
            try own.addresses.sealOldAddresses()
            if let place = try own.storage.mediaPlace(), place != carrier.place {
                throw StoreError(.mediaElsewhere(place))
            }
            return own
        } catch {
            own.close()
            throw error
        }
    }

    /// Writes the notes of both stores, or continues with the notes of an earlier run.
    ///
    /// - Returns: the folder's note, and whether no earlier run has begun; `nil` if the store was moved before.
    private func begin(_ own: Catalog) async throws(StoreError) -> (note: MigrationNote, isNew: Bool)? {
        let (known, other) = (try file.note, try shared.migration.note())
        var note = MigrationNote(id: MigrationNote.freshID(), state: .leaving, place: plan.address.shown)
        if let known {
            // After the last step has begun, the store can only be moved to the same place.
            if known.place != plan.address.shown || known.state == .arriving { try file.check() }
            if known.place == plan.address.shown, known.state != .arrived { note = known.with(.leaving) }
        }
        if let other {
            guard other.id == note.id, [.arriving, .arrived].contains(other.state) else {
                throw other.state == .arriving
                    ? StoreError(.migrationUnfinished(from: other.place))
                    : StoreError(.notEmpty(plan.address.shown))
            }
            guard other.state == .arriving else {
                try file.write(note.with(.left))
                return nil
            }
            return (note, false)
        }
        if known?.state == .left { try file.check() }
        // The bucket must be empty, unless the store uses it already.
        if try own.storage.mediaPlace() == nil, try await !carrier.isEmpty() {
            throw StoreError(.notEmpty(carrier.place))
        }
        try file.write(note)
        do throws(StoreError) {
            try shared.migration.begin(
                MigrationNote(id: note.id, state: .arriving, place: plan.folderName), at: plan.address.shown)
        } catch {
            // The catalog is another store's: this one stays where it is.
            if case .notEmpty = error.code, known == nil { try file.remove() }
            throw error
        }
        return (note, true)
    }

    // MARK: Media

    /// The name of a unit's object. It is the same in each run of a migration, so that a later run finds the object.
    /// Other bytes give another name.
    private static func object(_ id: String, _ sha256: [UInt8]) -> String {
        "\(id)-\(sha256.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })"
    }

    private func copyMedia(
        of own: Catalog, _ note: MigrationNote, isNew: Bool, _ report: inout StoreMigration.Report
    ) async throws(StoreError) {
        let tokens = try own.migration.tokens()
        report.assets = tokens.count
        let total = try own.migration.stored().bytes
        var done: Int64 = 0
        for token in tokens {
            let units = try units(of: token, own)
            // In the first run, the bucket has no objects of this migration yet.
            let there = isNew || units.isEmpty ? [:] : try await carrier.sizes(of: token)
            try await plan.copy(units, done: &done, total: total, to: &report) {
                [carrier] unit throws(StoreError) in try await Self.send(unit, note.id, there, carrier)
            }
        }
    }

    private static func send(
        _ unit: MovingUnit, _ id: String, _ there: [String: UInt64], _ carrier: BucketCarrier
    ) async throws(StoreError) -> StoreMigration.Outcome {
        let key = unit.key(object(id, unit.sha256))
        if there[key] == unit.size { return .known }
        if let fault = try unit.fault() { return .absent(fault) }
        try await carrier.upload(unit.path, size: unit.size, sha256: unit.sha256, to: key)
        return .copied
    }

    /// The stored units whose files have to be sent to the bucket. Users' subtitles go into the catalog instead.
    private func units(of token: AssetToken, _ own: Catalog) throws(StoreError) -> [MovingUnit] {
        var units: [MovingUnit] = []
        for row in try own.renditions.all(of: [token])[token] ?? [] where row.sourceFile == nil {
            for unit in try own.units.all(of: row.id, states: [.stored]) where !unit.isInBucket {
                guard let unit = MovingUnit(UnitJob(unit: unit, rendition: row), of: token, in: paths) else {
                    continue
                }
                units.append(unit)
            }
        }
        return units
    }

    // MARK: Rows

    private func copyRows(
        of own: Catalog, _ note: MigrationNote, _ report: inout StoreMigration.Report
    ) throws(StoreError) {
        let inCatalog = Set(try own.migration.ownSubtitles().map(\.rendition))
        let changes = CatalogCopy.Changes(
            object: { unit in
                if let object = unit.object { return object }
                guard unit.isStored, !inCatalog.contains(unit.rendition), let sha256 = unit.sha256 else {
                    return nil
                }
                return Self.object(note.id, sha256)
            }, folderTime: { _ in nil }, mediaPlace: carrier.place, keptFiles: try keptFiles(of: own),
            read: { [paths] file in
                try DurableWrite.read(paths.asset(file.token).pushing(FilePath(file.path)))
            })
        let step = plan.step
        let copy = CatalogCopy(from: own, to: shared, changes) { step(.rows($0)) }
        report.rows = try copy.run { session in
            try MigrationRow.write(
                MigrationNote(id: note.id, state: .arrived, place: plan.folderName), session)
        }
    }

    /// The files in the assets' folders that can't be generated again: posters and users' subtitles.
    private func keptFiles(of own: Catalog) throws(StoreError) -> [KeptPath] {
        var files = try own.migration.posters()
        for item in try own.migration.ownSubtitles() {
            for name in [item.file, AddedSubtitles.trackName, ServedMediaPlaylist.fileName] {
                files.append(KeptPath(token: item.token, path: "\(item.name)/\(name)"))
            }
        }
        return files
    }
}
