internal import Glibc
internal import HLSPlaylist
internal import SystemPackage

/// Compares the stored files of an asset with the catalog.
struct IntegrityCheck: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault
    /// The bucket of the media; `nil` when they are in the store's folder.
    let bucket: BucketMedia?

    /// Looks at the objects that a bucket has of an asset.
    ///
    /// - Parameter isReading: whether their bytes are read, or only their lengths looked at.
    func lookIntoBucket(
        _ token: AssetToken, isReading: Bool = true
    ) async throws(StoreError) -> BucketInspection {
        guard let bucket else { return BucketInspection() }
        var units: [BucketUnit] = []
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] {
            for unit in try catalog.units.all(of: rendition.id, states: [.stored]) {
                if let unit = object(of: UnitJob(unit: unit, rendition: rendition), token) {
                    units.append(unit)
                }
            }
        }
        return try await bucket.inspect(units, of: token, isReading: isReading)
    }

    /// Enters lost and damaged units as stored again, whose objects someone has put back into the bucket as they were.
    ///
    /// - Returns: the units, by their files' paths in the asset's folder.
    func takeBackObjects(of token: AssetToken, at now: Timestamp) async throws(StoreError) -> [String] {
        guard let bucket else { return [] }
        var lost: [(name: String, unit: BucketUnit, stored: StoredUnit)] = []
        for row in try catalog.renditions.all(of: [token])[token] ?? [] {
            let folder = paths.rendition(token, row.name)
            for unit in try catalog.units.absent(of: row.id) {
                guard let found = BucketUnit.lost(unit, of: row, token, in: folder) else { continue }
                let name = "\(row.name)/\(UnitJob(unit: unit, rendition: row).fileName)"
                lost.append((name, found, found.stored(AbsentRow(unit, of: row, isGone: true), in: folder)))
            }
        }
        let inspection = try await bucket.inspect(lost.map(\.unit), of: token, isReading: true)
        lost.removeAll { inspection.condition(of: $0.unit) != .sound }
        guard !lost.isEmpty else { return [] }
        try catalog.units.markStored(lost.map(\.stored))
        try catalog.health.noteHealth(of: token, at: now)
        return lost.map(\.name)
    }

    /// The object of a unit; `nil` if it is only in the store's folder.
    func object(of job: UnitJob, _ token: AssetToken) -> BucketUnit? {
        BucketUnit(job, of: token, at: paths.rendition(token, job.rendition.name).appending(job.fileName))
    }

    /// Checks every file of an asset; returns the files with a finding.
    ///
    /// - Parameters:
    ///   - objects: the findings of the check of its objects in a bucket.
    ///   - failed: whether to check renditions that were given up, too.
    func look(
        through asset: AssetRecord, _ objects: BucketInspection, failed: Bool = false,
        while isWanted: () -> Bool
    ) throws(StoreError) -> StoredInspection {
        let token = asset.token
        try paths.media?.restore(token)
        var inspection = StoredInspection(of: token)
        (inspection.result.objects, inspection.result.mediaPlace) = (objects.read, bucket?.place)
        try verifyPlaylists(token, &inspection.result)
        inspection.result.damaged += try closedKeys(of: token)
        let looks = UnitInspectors(token, catalog: catalog, paths: paths, vault: vault)
        for rendition in try catalog.renditions.all(of: [token])[token] ?? []
        where failed || rendition.failure == nil {
            for unit in try catalog.units.all(of: rendition.id, states: [.stored, .missing]) {
                // A lost file stays a finding until it is stored again; other assets may not have it yet.
                guard unit.state == .stored || asset.state == .complete || unit.finding?.isOfAbsence == true
                else { continue }
                guard isWanted() else { throw StoreError(.stopped(.cancelled)) }
                let job = UnitJob(unit: unit, rendition: rendition)
                try look(at: job, of: token, objects, looks, &inspection)
            }
        }
        return inspection
    }

    /// Looks at a unit: at its file, and at its object in a bucket, which counts where there is one.
    private func look(
        at job: UnitJob, of token: AssetToken, _ objects: BucketInspection, _ looks: UnitInspectors,
        _ inspection: inout StoredInspection
    ) throws(StoreError) {
        let path = paths.rendition(token, job.rendition.name).appending(job.fileName)
        let file = try Self.condition(of: path, job.unit)
        let look = { () throws(StoreError) -> UnitFinding? in
            try looks.inspector(of: job).finding(in: paths.file(of: job.id, token, named: job.fileName))
        }
        guard let object = object(of: job, token) else { return try inspection.add(file, of: job, look) }
        let condition = objects.condition(of: object)
        if condition != .sound, file == .sound { return try inspection.addCopied(condition, of: job, look) }
        // The bucket has the original, or the unit is fetched again.
        if file == .damaged { try? FileSystem.unlink(path) }
        try inspection.add(condition, of: job, look)
    }

    /// The stored units whose files are missing or have another length; for units in a bucket, the objects are
    /// checked, too.
    func unitsNotThere(
        _ token: AssetToken, _ objects: BucketInspection = BucketInspection()
    ) throws(StoreError) -> [AbsentRow] {
        var absent: [AbsentRow] = []
        try paths.media?.restore(token)
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] {
            let folder = paths.rendition(token, rendition.name)
            for unit in try catalog.units.all(of: rendition.id, states: [.stored]) {
                let job = UnitJob(unit: unit, rendition: rendition)
                if let object = object(of: job, token), objects.condition(of: object) == .sound { continue }
                let size = try FileSystem.size(ofFile: folder.appending(job.fileName))
                guard size == nil || size != unit.size else { continue }
                absent.append(AbsentRow(unit, of: rendition, isGone: size == nil))
            }
        }
        return absent
    }

    private func closedKeys(of token: AssetToken) throws(StoreError) -> [String] {
        let stored = try catalog.renditions.keys(of: token).filter { $0.sealed != nil }
        return stored.filter { $0.opened(by: vault, for: token) == nil }.map { "keys/\($0.id).key" }
    }

    /// Compares the playlists with playlists that are made again from the origin's, so they need no hash. A playlist
    /// as an earlier version wrote it is valid, too.
    private func verifyPlaylists(_ token: AssetToken, _ result: inout Verification) throws(StoreError) {
        let playlists = BundlePlaylists(catalog: catalog, paths: paths, token: token)
        var former: [String: [UInt8]]?
        for (name, made) in try readable(playlists, &result) {
            result.checked += 1
            let path = paths.asset(token).pushing(FilePath(name))
            switch try Self.condition(of: path, made) {
            case .sound: continue
            case .missing: result.missing.append(name)
            case .damaged:
                if former == nil {
                    let all = try playlists.made(listingAllSections: true, skipsUnreadable: true)
                    former = Dictionary(all.map { ($0.name, $0.bytes) }) { first, _ in first }
                }
                if let bytes = former?[name], try Self.condition(of: path, bytes) == .sound { continue }
                result.damaged.append(name)
            }
        }
    }

    /// The playlists that can be made again. A recording's playlist that can't be read is damage.
    private func readable(
        _ playlists: BundlePlaylists, _ result: inout Verification
    ) throws(StoreError) -> [(name: String, bytes: [UInt8])] {
        do throws(StoreError) {
            return try playlists.made()
        } catch {
            guard case .unreadableRecording(let rendition, _) = error.code else { throw error }
            result.damaged.append("\(rendition)/\(ServedMediaPlaylist.fileName)")
            return try playlists.made(skipsUnreadable: true)
        }
    }

    private static func condition(of path: FilePath, _ made: [UInt8]) throws(StoreError)
        -> StoredInspection.Condition
    {
        do throws(StoreError) {
            guard let found = try DurableWrite.read(path, limit: max(made.count, 64 << 20)) else {
                return .missing
            }
            return found == made ? .sound : .damaged
        } catch {
            guard error.isOfBytes else { throw error }
            return .damaged
        }
    }

    private static func condition(of path: FilePath, _ unit: UnitRecord) throws(StoreError)
        -> StoredInspection.Condition
    {
        guard unit.state == .stored else { return unit.finding == .damaged ? .damaged : .missing }
        guard let facts = FileSystem.facts(path) else {
            // If the folder can't be read, it is unknown which files are missing.
            guard let errno = FileSystem.obstacle(to: path) else { return .missing }
            throw .system(.read, path, reason: Errno(rawValue: errno))
        }
        guard facts.isRegular, facts.size == unit.size else { return .damaged }
        do throws(StoreError) {
            return try FilePieces.sha256(of: path) == unit.sha256 ? .sound : .damaged
        } catch {
            guard error.isOfBytes else { throw error }
            // The disk can't read these bytes. They are useless to players, too, and are fetched again.
            return .damaged
        }
    }
}

extension StoreError {
    /// Whether a file could not be read because of its own state, and not because of its permissions or of a limit of
    /// the process.
    var isOfBytes: Bool {
        switch code {
        case .tooManyFiles: false
        case .file(_, _, let errno): ![EACCES, EPERM].contains(errno)
        default: true
        }
    }
}
