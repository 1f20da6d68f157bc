internal import HLSPlaylist
internal import SystemPackage

/// Compares what is stored of an asset with what the catalog says of it.
struct IntegrityCheck: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault

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
                let path = try paths.file(of: job.id, token, named: job.fileName)
                let condition = try Self.condition(of: path, unit)
                try inspection.add(condition, of: job) { () throws(StoreError) in
                    try looks.inspector(of: job).finding(in: path)
                }
            }
        }
        return inspection
    }

    /// The stored units whose files are gone, or have another length.
    func unitsNotThere(_ token: AssetToken) throws(StoreError) -> [AbsentRow] {
        var absent: [AbsentRow] = []
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] {
            let folder = paths.rendition(token, rendition.name)
            for unit in try catalog.units.all(of: rendition.id, states: [.stored]) where !unit.isInBucket {
                let size = try FileSystem.size(
                    ofFile: folder.appending(UnitJob(unit: unit, rendition: rendition).fileName))
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
