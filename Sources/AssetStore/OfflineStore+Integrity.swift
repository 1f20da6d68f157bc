internal import Crypto
internal import Dispatch
internal import HLSPlaylist
internal import Locking
internal import SystemPackage

extension OfflineStore {
    /// Units that are not there, or not as they should be.
    typealias Absent = [AbsentRow]

    /// Reads every stored file of an asset again and compares its SHA-256. What is gone or damaged is not
    /// served any more; `repair` fetches it again. What nobody has looked at yet is looked at: can it be decoded?
    public func verify(_ token: AssetToken) async throws(StoreError) -> Verification {
        guard let asset = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        let inspection = try await whileWanted { isWanted throws(StoreError) in
            try self.look(through: asset, while: isWanted)
        }
        try note(inspection, of: token)
        try await miss(inspection.absent, of: token)
        try removeLeftovers(of: asset)
        var result = inspection.result
        result.health = try reader.requireAsset(token, isListed: true).health.level
        return result
    }

    /// Takes into the catalog what looks at units have shown.
    private func note(_ inspection: StoredInspection, of token: AssetToken) throws(StoreError) {
        let now = context.clock.now
        for (finding, units) in Dictionary(grouping: inspection.findings, by: \.finding) {
            try catalog.health.setFinding(finding, of: units.map(\.unit), token, at: now)
        }
    }

    /// Takes away what lies in the folders of a complete asset as the beginning of a file that is whole by now: it could
    /// not be deleted then, or a cut of the power brought it back. Of others, it may be growing.
    func removeLeftovers(of asset: AssetRecord) throws(StoreError) {
        guard asset.state == .complete else { return }
        for rendition in try catalog.renditions.all(of: [asset.token])[asset.token] ?? []
        where rendition.isFetched {
            let units = try catalog.units.all(of: rendition.id, states: [.missing, .lost])
            let wanted = units.map { UnitJob(unit: $0, rendition: rendition).partName }
            PartialFile.removeOrphans(
                in: paths.rendition(asset.token, rendition.name), except: Set(wanted))
        }
    }

    /// Takes back that units are stored.
    ///
    /// - Parameter starts: whether what is queued begins.
    func miss(_ absent: Absent, of token: AssetToken, starts: Bool = true) async throws(StoreError) {
        guard !absent.isEmpty else { return }
        if try catalog.assets.asset(token)?.state == .complete {
            _ = try catalog.health.noteDiscovered(Set(absent), of: token, at: context.clock.now)
        } else {
            try catalog.units.markAbsent(absent)
        }
        changed(token)
        // What runs knows nothing of what is missing now.
        await engine.halt([token], isForGood: false)
        if starts { await engine.sync() }
    }

    /// Runs what reads for long on a thread of its own; `isWanted` tells whether somebody waits for it still.
    func whileWanted<T: Sendable>(
        _ work: @escaping @Sendable (_ isWanted: () -> Bool) throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        let isWanted = Lock(true)
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global(qos: .utility).async {
                    let result = Result { () throws(StoreError) in try work { isWanted.withLock(\.self) } }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            isWanted.withLock { $0 = false }
        }.get()
    }

    /// Looks at every file of an asset; what is not as it should be.
    ///
    /// - Parameter failed: whether also at those of renditions that were given up.
    func look(
        through asset: AssetRecord, failed: Bool = false, while isWanted: () -> Bool
    ) throws(StoreError) -> StoredInspection {
        let token = asset.token
        // What is gone from a complete asset stays a finding until it is fetched again.
        let states: [UnitState] = asset.state == .complete ? [.stored, .missing] : [.stored]
        var inspection = StoredInspection(of: token)
        try verifyPlaylists(token, &inspection.result)
        inspection.result.damaged += try closedKeys(of: token)
        let looks = UnitInspectors(token, catalog: catalog, paths: paths, vault: vault)
        for rendition in try catalog.renditions.all(of: [token])[token] ?? []
        where failed || rendition.failure == nil {
            for unit in try catalog.units.all(of: rendition.id, states: states) {
                guard isWanted() else { throw StoreError(.stopped(.cancelled)) }
                let job = UnitJob(unit: unit, rendition: rendition)
                let path = paths.asset(token).appending(rendition.name).appending(job.fileName)
                let condition = try Self.condition(of: path, unit)
                try inspection.add(condition, job) { () throws(StoreError) in
                    try looks.inspector(of: job).finding(in: path)
                }
            }
        }
        return inspection
    }

    private func closedKeys(of token: AssetToken) throws(StoreError) -> [String] {
        let stored = try catalog.renditions.keys(of: token).filter { $0.sealed != nil }
        return stored.filter { $0.opened(by: vault, for: token) == nil }.map { "keys/\($0.id).key" }
    }

    /// A playlist can be made again from what the origin sent, so that it needs no hash. As earlier versions have made it, it
    /// is as good.
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

    /// The playlists that can be made again; what was recorded and can't be read is damaged.
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
            if case .tooManyFiles = error.code { throw error }
            return .damaged
        }
    }

    private static func condition(of path: FilePath, _ unit: UnitRecord) throws(StoreError)
        -> StoredInspection.Condition
    {
        guard unit.state == .stored else { return unit.finding == .damaged ? .damaged : .missing }
        guard let facts = FileSystem.facts(path) else {
            // Of a folder that can't be looked into, nobody can tell what is gone.
            guard let errno = FileSystem.obstacle(to: path) else { return .missing }
            throw .system(.read, path, Errno(rawValue: errno))
        }
        guard facts.isRegular, facts.size == unit.size else { return .damaged }
        do throws(StoreError) {
            return try FilePieces.sha256(of: path) == unit.sha256 ? .sound : .damaged
        } catch {
            if case .tooManyFiles = error.code { throw error }
            // What can't be read is of no use to players either, and to be fetched again.
            return .damaged
        }
    }
}
