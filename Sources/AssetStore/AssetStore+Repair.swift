internal import SystemPackage

extension AssetStore {
    /// Fetches what is missing of an asset, gone or damaged; goes on with one that failed, was paused or cancelled.
    /// One that is complete and lacks nothing stays complete.
    ///
    /// - Parameter isReading: whether every stored byte is read and compared, which takes its time. Else only the
    ///   lengths of files are looked at.
    public func repair(_ token: AssetToken, isReading: Bool = true) async throws(StoreError) {
        guard let asset = try catalog.asset(token) else { throw StoreError(.noSuchAsset(token.description)) }
        guard let next = AssetAction.repair.outcome(from: asset.state) else {
            throw StoreError(.wrongState(asset.state, wanted: AssetAction.repair.participle))
        }
        guard next != asset.state else { return }
        try restorePlaylists(token)
        try restoreSubtitleFiles(token)
        let absent = try await isReading ? unsound(of: asset) : unitsNotThere(token)
        try await miss(absent, of: token)
        guard let now = try catalog.asset(token) else { throw StoreError(.noSuchAsset(token.description)) }
        // Who has asked for something else meanwhile gets that.
        guard now.state == asset.state else { return }
        if asset.state == .complete, try isWhole(token) { return changed(token) }
        try forgive(token)
        try catalog.apply(.repair, to: token, TransitionDetail(reason: "slot", now: context.clock.now))
        changed(token)
        await engine.sync()
    }

    /// Reads every stored file; which are gone or damaged.
    private func unsound(of asset: AssetRecord) async throws(StoreError) -> Absent {
        try await whileWanted { isWanted throws(StoreError) in
            try self.look(through: asset, failed: true, while: isWanted).1
        }
    }

    private func unitsNotThere(_ token: AssetToken) throws(StoreError) -> Absent {
        var absent: Absent = []
        for rendition in try catalog.renditions(of: [token])[token] ?? [] {
            let folder = paths.rendition(token, rendition.name)
            for unit in try catalog.units(of: rendition.id, states: [.stored]) {
                let facts = FileSystem.facts(
                    folder.appending(UnitJob(unit: unit, rendition: rendition).fileName))
                guard facts?.isRegular != true || facts?.size != unit.size else { continue }
                absent.append((rendition.id, unit.kind, unit.number))
            }
        }
        return absent
    }

    /// Whether a download would find nothing to do.
    private func isWhole(_ token: AssetToken) throws(StoreError) -> Bool {
        for rendition in try catalog.renditions(of: [token])[token] ?? [] {
            guard rendition.failure == nil else { return false }
            guard rendition.hasPlaylist else { continue }
            guard try catalog.units(of: rendition.id, states: [.missing, .lost]).isEmpty else { return false }
        }
        return true
    }

    /// Renditions that were given up are tried again.
    private func forgive(_ token: AssetToken) throws(StoreError) {
        for rendition in try catalog.renditions(of: [token])[token] ?? [] where rendition.failure != nil {
            try catalog.setFailure(nil, ofRendition: rendition.id)
        }
    }

    /// Makes the served playlists again where they are not what they should be.
    func restorePlaylists(_ token: AssetToken) throws(StoreError) {
        try BundlePlaylists(catalog: catalog, paths: paths, token: token).restore()
    }
}
