internal import Locking
internal import SystemPackage

/// Verifies stored assets, and has missing and damaged segments fetched again.
package struct AssetRepairer: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let reader: StoreReader
    let engine: DownloadEngine
    let wall: any WallClock
    let check: IntegrityCheck
    let imports: ImportedMedia
    let returning: ReturningAssets
    let licenses: LicenseOffice
    let notices: ChangeNotices
    /// The threads that read files.
    let threads: WorkPool

    /// Reads every stored file of an asset again and compares its SHA-256. Missing and damaged segments are not served
    /// any more; `repair` fetches them again. Segments that were never checked are checked: can a player decode them?
    package func verify(_ token: AssetToken) async throws(StoreError) -> Verification {
        guard let asset = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        let returned = try await takeBack(token)
        let objects = try await check.lookIntoBucket(token)
        let inspection = try await threads.runWhileWanted { isWanted throws(StoreError) in
            try check.look(through: asset, objects, while: isWanted)
        }
        try note(inspection, of: token)
        try await miss(inspection.absent, of: token)
        try removeLeftovers(of: asset)
        var result = inspection.result
        result.returned = returned
        result.health = try reader.requireAsset(token, isListed: true).health.level
        return result
    }

    /// Enters units as stored again whose files or objects were put back, from a backup for example.
    private func takeBack(_ token: AssetToken) async throws(StoreError) -> [String] {
        var returned = try await threads.runWhileWanted { _ throws(StoreError) in
            try Damage(catalog: catalog, paths: paths, token: token).takeBack(at: wall.now)
        }
        returned += try await check.takeBackObjects(of: token, at: wall.now)
        if !returned.isEmpty { notices.changed(token) }
        return returned
    }

    /// Writes the findings of checked units to the catalog.
    private func note(_ inspection: StoredInspection, of token: AssetToken) throws(StoreError) {
        let now = wall.now
        let units = inspection.findings.map(\.unit) + inspection.copied.map(\.unit)
        for (finding, units) in Dictionary(grouping: units, by: \.finding) {
            try catalog.health.setFinding(finding, of: units, token, at: now)
        }
        if !inspection.copied.isEmpty { notices.changed(token) }
    }

    /// Deletes leftover partial files from the folders of a complete asset: they could not be deleted before, or came
    /// back after a power cut. In other assets, partial files may still be growing.
    private func removeLeftovers(of asset: AssetRecord) throws(StoreError) {
        guard asset.state == .complete else { return }
        for rendition in try catalog.renditions.all(of: [asset.token])[asset.token] ?? []
        where rendition.isFetched {
            let units = try catalog.units.all(of: rendition.id, states: [.missing, .lost])
            let wanted = units.map { UnitJob(unit: $0, rendition: rendition).partName }
            PartialFile.removeOrphans(
                in: paths.rendition(asset.token, rendition.name), except: Set(wanted))
        }
    }

    /// Marks units as not stored.
    ///
    /// - Parameter starts: whether queued downloads begin.
    private func miss(_ absent: [AbsentRow], of token: AssetToken, starts: Bool = true)
        async throws(StoreError)
    {
        guard !absent.isEmpty else { return }
        if try catalog.assets.asset(token)?.state == .complete {
            _ = try catalog.health.noteDiscovered(Set(absent), of: token, at: wall.now)
        } else {
            try catalog.units.markAbsent(absent)
        }
        notices.changed(token)
        // The running download does not know of the newly missing units.
        await engine.halt([token], isForGood: false)
        if starts { await engine.sync() }
    }

    /// Fetches the missing and damaged segments of an asset. A failed, paused or cancelled download goes on. A complete
    /// asset that lacks nothing stays complete.
    ///
    /// - Parameters:
    ///   - isReading: whether every stored byte is read and compared, which is slow. If not, only the lengths of files
    ///     are compared.
    ///   - starts: whether queued downloads begin at once; otherwise they begin with the next `start`.
    /// - Returns: whether something had to be repaired, or a download was running.
    /// - Throws: `notInSource` when the asset was imported and its folder lacks the missing files; `notWhole` when
    ///   files disappeared meanwhile. The state of the asset stays as it was.
    @discardableResult
    package func repair(
        _ token: AssetToken, isReading: Bool = true, starts: Bool = true
    ) async throws(StoreError) -> Bool {
        guard let asset = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard let next = AssetAction.repair.outcome(from: asset.state) else {
            throw StoreError(.wrongState(asset.state, wanted: AssetAction.repair.participle))
        }
        guard next != asset.state else { return true }
        await licenses.refetchWrongKeys(of: token)
        let way = asset.folder == nil ? nil : returning.begin(token, from: asset.state)
        defer { if let way { returning.end(way) } }
        try removeLeftovers(of: asset)
        let wasWhole = asset.state == .complete ? try isWhole(token) : false
        var restored = try BundlePlaylists(catalog: catalog, paths: paths, token: token).restore()
        restored += try SubtitleFileTracks(catalog: catalog, paths: paths, token: token).restore()
        restored += try await takeBack(token).count
        let (absent, putBack) = try await isReading ? mended(asset) : notThere(token)
        try await miss(absent, of: token, starts: starts)
        // If the user has changed the asset's state in the meantime, that change stands.
        guard try isUnchanged(asset, way) else { return true }
        if let way, let folder = asset.folder {
            try await imports.bringBack(way, from: folder)
            guard try isUnchanged(asset, way) else { return true }
        }
        if asset.state == .complete, try isWhole(token) {
            try SubtitleFileTracks(catalog: catalog, paths: paths, token: token).restoreOrGiveUp()
            try catalog.health.noteHealth(of: token, at: wall.now)
            notices.changed(token)
            return !wasWhole || restored + putBack > 0 || !absent.isEmpty
        }
        try catalog.renditions.forgive(token)
        await engine.release([token])
        if let way {
            try await finish(asset, way, starts: starts)
        } else {
            try catalog.assets.apply(
                .repair, to: token, TransitionDetail(reason: .slot, now: wall.now))
        }
        notices.changed(token)
        if starts { await engine.sync() }
        return true
    }

    /// Whether the state of an asset is the same as when it was read.
    private func isUnchanged(
        _ asset: AssetRecord, _ way: ReturningAssets.Return?
    ) throws(StoreError) -> Bool {
        guard let now = try catalog.assets.asset(asset.token) else {
            throw StoreError(.noSuchAsset(asset.token.description))
        }
        guard let way else { return now.state == asset.state }
        return now.state == asset.state && returning.isWanted(way)
    }

    /// Reads every stored file and object. An object that the bucket has lost is uploaded again, if the store's
    /// folder has a sound copy.
    ///
    /// - Returns: the units that are lost or damaged, and the number of objects that were uploaded again.
    private func mended(_ asset: AssetRecord) async throws(StoreError) -> (absent: [AbsentRow], putBack: Int)
    {
        let objects = try await check.lookIntoBucket(asset.token)
        let inspection = try await threads.runWhileWanted { isWanted throws(StoreError) in
            try check.look(through: asset, objects, failed: true, while: isWanted)
        }
        for copied in inspection.copied {
            guard let object = check.object(of: copied.job, asset.token) else { continue }
            try await check.bucket?.putBack(object, copied.unit, media: copied.media)
        }
        let undecodable = asset.folder == nil ? inspection.undecodable : []
        return (inspection.absent + undecodable, inspection.copied.count)
    }

    /// Compares only the lengths of files and objects with the catalog.
    private func notThere(_ token: AssetToken) async throws(StoreError) -> (absent: [AbsentRow], putBack: Int)
    {
        (try check.unitsNotThere(token, try await check.lookIntoBucket(token, isReading: false)), 0)
    }

    /// Whether no unit is missing, so that a download would fetch nothing.
    private func isWhole(_ token: AssetToken) throws(StoreError) -> Bool {
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] {
            guard rendition.failure == nil else { return false }
            guard rendition.isFetched else { continue }
            guard try catalog.units.all(of: rendition.id, states: [.missing, .lost]).isEmpty else {
                return false
            }
        }
        return true
    }
}

// MARK: - Imported assets

extension AssetRepairer {
    /// The imported assets among some assets. They have no origin: `resume` must take missing files from their folder.
    func lackingImports(among tokens: [AssetToken]) throws(StoreError) -> [AssetRecord] {
        var found: [AssetRecord] = []
        for token in try catalog.assets.imported(among: tokens) {
            guard let asset = try catalog.assets.asset(token), asset.folder != nil,
                AssetAction.resume.outcome(from: asset.state) == .queued, asset.state != .queued,
                try isLacking(token)
            else { continue }
            found.append(asset)
        }
        return found
    }

    private func isLacking(_ token: AssetToken) throws(StoreError) -> Bool {
        guard try imports.lacking(token).isEmpty else { return true }
        do throws(StoreError) { return try !check.unitsNotThere(token).isEmpty } catch {
            // Its own repair reports the error, and the others resume.
            guard error.isOfFiles else { throw error }
            return true
        }
    }

    /// Resumes an imported asset: missing files are copied from its folder.
    ///
    /// - Parameter starts: whether queued downloads begin.
    func resumeImport(_ asset: AssetRecord, starts: Bool) async -> Result<AssetChange, StoreError> {
        do throws(StoreError) {
            try await repair(asset.token, isReading: false, starts: starts)
            let state = try catalog.assets.asset(asset.token)?.state ?? .removing
            return .success(AssetChange(token: asset.token, from: asset.state, to: state))
        } catch {
            return .failure(error)
        }
    }

    /// Completes an asset that has all its media, without a transfer, unless a user changes its state meanwhile.
    private func finish(
        _ asset: AssetRecord, _ way: ReturningAssets.Return, starts: Bool
    ) async throws(StoreError) {
        let token = asset.token
        // An imported asset has no origin for the missing units.
        guard try isWhole(token) else { throw StoreError(.notWhole(token)) }
        await engine.beginChange(of: token)
        let result: Result<Void, StoreError>
        do throws(StoreError) {
            try SubtitleFileTracks(catalog: catalog, paths: paths, token: token).restoreOrGiveUp()
            try catalog.assets.finishRepair(of: token, from: asset.state, at: wall.now) {
                returning.isWanted(way)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // Waiting callers learn that the asset is complete.
        await engine.halt([token])
        await engine.endChange(of: token, syncs: starts)
        try result.get()
    }
}
