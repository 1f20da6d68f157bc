internal import SystemPackage

extension OfflineStore {
    /// Fetches what is missing of an asset, gone or damaged; goes on with one that failed, was paused or cancelled.
    /// One that is complete and lacks nothing stays complete.
    ///
    /// - Parameters:
    ///   - isReading: whether every stored byte is read and compared, which takes its time. Else only the lengths of
    ///     files are looked at.
    ///   - starts: whether what is queued then begins at once, and not with the next `start`.
    /// - Returns: whether there was anything to mend, or something was under way.
    /// - Throws: `notInSource`, leaving its state, when it was imported and its folder has not got what it lacks;
    ///   likewise `notWhole` when parts of it have gone meanwhile.
    @discardableResult
    public func repair(
        _ token: AssetToken, isReading: Bool = true, starts: Bool = true
    ) async throws(StoreError) -> Bool {
        guard let asset = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard let next = AssetAction.repair.outcome(from: asset.state) else {
            throw StoreError(.wrongState(asset.state, wanted: AssetAction.repair.participle))
        }
        guard next != asset.state else { return true }
        await refetchWrongKeys(of: token)
        let way = asset.folder == nil ? nil : returning.begin(token, from: asset.state)
        defer { if let way { returning.end(way) } }
        try removeLeftovers(of: asset)
        let wasWhole = asset.state == .complete ? try isWhole(token) : false
        var restored = try restorePlaylists(token)
        restored += try subtitleFileTracks(token).restore()
        let absent = try await isReading ? unsound(of: asset) : unitsNotThere(token)
        try await miss(absent, of: token, starts: starts)
        // Who has asked for something else meanwhile gets that.
        guard try isUnchanged(asset, way) else { return true }
        if let way, let folder = asset.folder {
            try await bringBack(way, from: folder)
            guard try isUnchanged(asset, way) else { return true }
        }
        if asset.state == .complete, try isWhole(token) {
            try subtitleFileTracks(token).restoreOrGiveUp()
            try catalog.health.noteHealth(of: token, at: context.clock.now)
            changed(token)
            return !wasWhole || restored > 0 || !absent.isEmpty
        }
        try catalog.renditions.forgive(token)
        await engine.release([token])
        if let way {
            try await finish(asset, way, starts: starts)
        } else {
            try catalog.assets.apply(
                .repair, to: token, TransitionDetail(reason: .slot, now: context.clock.now))
        }
        changed(token)
        if starts { await engine.sync() }
        return true
    }

    /// Whether an asset has not been asked for something else since it was looked up.
    private func isUnchanged(
        _ asset: AssetRecord, _ way: ReturningAssets.Return?
    ) throws(StoreError) -> Bool {
        guard let now = try catalog.assets.asset(asset.token) else {
            throw StoreError(.noSuchAsset(asset.token.description))
        }
        guard let way else { return now.state == asset.state }
        return now.state == asset.state && returning.isWanted(way)
    }

    /// Reads every stored file; which are gone or damaged.
    private func unsound(of asset: AssetRecord) async throws(StoreError) -> Absent {
        try await whileWanted { isWanted throws(StoreError) in
            let inspection = try self.look(through: asset, failed: true, while: isWanted)
            return inspection.absent + (asset.folder == nil ? inspection.undecodable : [])
        }
    }

    private func unitsNotThere(_ token: AssetToken) throws(StoreError) -> Absent {
        var absent: Absent = []
        for rendition in try catalog.renditions.all(of: [token])[token] ?? [] {
            let folder = paths.rendition(token, rendition.name)
            for unit in try catalog.units.all(of: rendition.id, states: [.stored]) {
                let size = try FileSystem.size(
                    ofFile: folder.appending(UnitJob(unit: unit, rendition: rendition).fileName))
                guard size == nil || size != unit.size else { continue }
                absent.append(AbsentRow(unit, of: rendition, isGone: size == nil))
            }
        }
        return absent
    }

    /// Whether a download would find nothing to do.
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

    /// Makes the served playlists again where they are not what they should be; how many were not.
    @discardableResult
    func restorePlaylists(_ token: AssetToken) throws(StoreError) -> Int {
        try BundlePlaylists(catalog: catalog, paths: paths, token: token).restore()
    }
}

// MARK: - What was imported

extension OfflineStore {
    /// Copies what an imported asset lacks from its folder again, all of it or nothing, unless it is cancelled
    /// meanwhile.
    private func bringBack(
        _ way: ReturningAssets.Return, from folder: LocalFolder
    ) async throws(StoreError) {
        await turns.take(way.token)
        defer { turns.release(way.token) }
        do throws(StoreError) {
            try await copyLacking(way, from: folder)
        } catch {
            // Where it was copied to may have been freed.
            if returning.isWanted(way) { throw error }
        }
        // What was copied after the rest was freed goes, too, or else with time, as all that cancelled assets keep.
        if returning.isPurged(way) { try? purge(way.token) }
    }

    private func copyLacking(
        _ way: ReturningAssets.Return, from folder: LocalFolder
    ) async throws(StoreError) {
        let jobs = try lacking(way.token)
        try await whileWanted { [returning] isWanted throws(StoreError) in
            try Self.check(jobs, in: folder) { isWanted() && returning.isWanted(way) }
        }
        guard !jobs.isEmpty else { return }
        // What is brought back was the first to go: others make room for it now, or it went again.
        _ = try keeper.makesRoom(for: jobs.reduce(0) { $0 + ($1.unit.size ?? 0) })
        try await copy(jobs, way, from: folder)
    }

    /// The units that are not stored, but those of files that were added.
    private func lacking(_ token: AssetToken) throws(StoreError) -> [UnitJob] {
        var jobs: [UnitJob] = []
        for rendition in try catalog.renditions.all(of: [token])[token] ?? []
        where rendition.hasPlaylist && rendition.sourceFile == nil {
            for unit in try catalog.units.all(of: rendition.id, states: [.missing, .lost]) {
                jobs.append(UnitJob(unit: unit, rendition: rendition))
            }
        }
        return jobs
    }

    private static func check(
        _ jobs: [UnitJob], in folder: LocalFolder, while isWanted: () -> Bool
    ) throws(StoreError) {
        var first: String?
        var lost: Set<String> = []
        for job in jobs {
            guard isWanted() else { throw StoreError(.stopped(.cancelled)) }
            guard try !folder.has(job.copied) else { continue }
            first = first ?? LocalFolder.name(job.unit.url)
            lost.insert(job.unit.url)
        }
        if let first { throw StoreError(.notInSource(first, others: lost.count - 1)) }
    }

    /// Of assets, those that were imported and whose missing parts `resume` would ask an origin for that there is not.
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
        guard try lacking(token).isEmpty else { return true }
        do throws(StoreError) { return try !unitsNotThere(token).isEmpty } catch {
            // Its own repair says why nobody can tell, and the others resume.
            guard error.isOfFiles else { throw error }
            return true
        }
    }

    /// Resumes an imported asset: what it lacks comes from its folder.
    ///
    /// - Parameter starts: whether what is queued begins.
    func resumeImport(_ asset: AssetRecord, starts: Bool) async -> Result<AssetChange, StoreError> {
        do throws(StoreError) {
            try await repair(asset.token, isReading: false, starts: starts)
            let state = try catalog.assets.asset(asset.token)?.state ?? .removing
            return .success(AssetChange(token: asset.token, from: asset.state, to: state))
        } catch {
            return .failure(error)
        }
    }

    private func copy(
        _ jobs: [UnitJob], _ way: ReturningAssets.Return, from folder: LocalFolder
    ) async throws(StoreError) {
        for start in stride(from: 0, to: jobs.count, by: SegmentCommitter.largestGroup) {
            guard returning.isWanted(way) else { return }
            let group = Array(jobs[start...].prefix(SegmentCommitter.largestGroup))
            let finished = try await whileWanted { _ throws(StoreError) in
                try self.copy(group: group, of: way.token, from: folder)
            }
            try await context.committer.commit(finished)
        }
    }

    private func copy(
        group: [UnitJob], of token: AssetToken, from folder: LocalFolder
    ) throws(StoreError) -> [SegmentCommitter.Finished] {
        var finished: [SegmentCommitter.Finished] = []
        let looks = UnitInspectors(token, catalog: catalog, paths: paths, vault: vault)
        do throws(StoreError) {
            for job in group { finished.append(try copy(job, of: token, from: folder, looks)) }
        } catch {
            for job in group {
                try? FileSystem.unlink(paths.rendition(token, job.rendition.name).appending(job.partName))
            }
            throw error
        }
        return finished
    }

    /// Leads an asset that has everything to its end, with no transfer, unless somebody asks for something else
    /// meanwhile.
    private func finish(
        _ asset: AssetRecord, _ way: ReturningAssets.Return, starts: Bool
    ) async throws(StoreError) {
        let token = asset.token
        // There is no origin that could be asked for the rest.
        guard try isWhole(token) else { throw StoreError(.notWhole(token)) }
        await engine.beginChange(of: token)
        let result: Result<Void, StoreError>
        do throws(StoreError) {
            try subtitleFileTracks(token).restoreOrGiveUp()
            try catalog.assets.finishRepair(of: token, from: asset.state, at: context.clock.now) {
                returning.isWanted(way)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // Who waits for it hears that it has come to its end.
        await engine.halt([token])
        await engine.endChange(of: token, syncs: starts)
        try result.get()
    }
}

extension UnitJob {
    /// The unit as a folder has it, from which it was copied: something may have been taken off then.
    fileprivate var copied: UnitRecord {
        guard rendition.disguise != nil else { return unit }
        var unit = unit
        (unit.size, unit.sha256) = (nil, nil)
        return unit
    }
}
