internal import Logging

/// Pauses, resumes, cancels and removes assets, and edits their names, priorities and metadata.
package struct AssetControl: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let engine: DownloadEngine
    let recordings: Recordings
    let wall: any WallClock
    let returning: ReturningAssets
    let licenses: LicenseOffice
    let repairer: AssetRepairer
    let remover: AssetRemover
    let notices: ChangeNotices

    /// Applies one action to assets and to the assets of their interstitials. The new states are written in one
    /// transaction. The call returns when the action has taken effect. Pausing a paused asset, for example, is no
    /// error.
    ///
    /// - Parameters:
    ///   - action: `pause`, `resume`, `cancel` or `remove`.
    ///   - purge: whether `cancel` also deletes the stored media at once.
    ///   - starts: whether queued downloads begin at once, and not with the next `start`.
    package func perform(
        _ action: AssetAction, on tokens: [AssetToken], purge: Bool = false, starts: Bool = true
    ) async throws(StoreError) -> ControlOutcome {
        let named = Set(tokens)
        let others = try catalog.interstitials.interstitialAssets(of: tokens).filter { !named.contains($0) }
        if action == .cancel { returning.cancel(tokens + others, purge: purge) }
        if action == .resume {
            for token in try catalog.assets.failed(among: tokens + others) {
                await licenses.refetchWrongKeys(of: token)
            }
        }
        var outcome = try await apply(action, to: tokens + others, starts: starts)
        let done = outcome.done.map(\.token)
        if action == .remove { try forgive(&outcome) }
        if action == .resume { await engine.release(done) } else { await engine.halt(done) }
        let failure = cleanUp(after: action, on: done, purge: purge)
        notices.changed(Set(done))
        if starts { await engine.sync() }
        if let failure { throw failure }
        outcome.done.removeAll { !named.contains($0.token) }
        outcome.refused.removeAll { !named.contains($0.token) }
        return outcome
    }

    /// Counts an asset that was removed earlier as done, not as refused.
    private func forgive(_ outcome: inout ControlOutcome) throws(StoreError) {
        let unknown = outcome.refused.filter { if case .noSuchAsset = $0.error.code { true } else { false } }
        guard !unknown.isEmpty else { return }
        let gone = try catalog.assets.wasThere(unknown.map(\.token))
        outcome.refused.removeAll { gone.contains($0.token) }
        for (token, _) in unknown where gone.contains(token) {
            outcome.done.append(AssetChange(token: token, from: .removing, to: .removing))
        }
    }

    /// Writes the new states. On `resume`, missing files of imported assets are then copied from their folders.
    private func apply(
        _ action: AssetAction, to tokens: [AssetToken], starts: Bool
    ) async throws(StoreError) -> ControlOutcome {
        let imported = try action == .resume ? repairer.lackingImports(among: tokens) : []
        let broughtBack = Set(imported.map(\.token))
        var outcome = ControlOutcome()
        let detail = TransitionDetail(reason: action == .resume ? .slot : .user, now: wall.now)
        let rest = tokens.filter { !broughtBack.contains($0) }
        for (token, result) in try catalog.assets.apply(action, to: rest, detail) {
            outcome.add(token, result)
        }
        // `resumeImport` may start queued downloads, so the holds of the resumed assets end before it.
        if !imported.isEmpty { await engine.release(outcome.done.map(\.token)) }
        for asset in imported {
            let result = await repairer.resumeImport(asset, starts: starts)
            outcome.add(asset.token, result)
        }
        return outcome
    }

    /// Carries out an action on the folders of assets after the catalog has it. A failure does not stop the rest: on
    /// a full disk, the playlists of a recording can't be written, but deletions make room.
    ///
    /// - Returns: the first error. The action has taken effect nevertheless, and caches have to be cleared.
    private func cleanUp(after action: AssetAction, on tokens: [AssetToken], purge: Bool) -> StoreError? {
        var failure: StoreError?
        if action == .pause || action == .cancel {
            do throws(StoreError) { try endRecordings(of: tokens) } catch { failure = error }
        }
        if action == .remove {
            do throws(StoreError) { try remover.dispose(tokens) } catch { failure = failure ?? error }
        }
        if action == .cancel, purge {
            let reason = remover.purge(tokens).failure
            failure = failure ?? reason
        }
        return failure
    }

    /// Applies one action to one asset.
    ///
    /// - Throws: `noSuchAsset`, or `wrongState` when the asset's state forbids the action.
    @discardableResult
    package func perform(
        _ action: AssetAction, on token: AssetToken, purge: Bool = false
    ) async throws(StoreError) -> AssetChange {
        let outcome = try await perform(action, on: [token], purge: purge)
        guard let change = outcome.done.first else {
            throw outcome.refused.first?.error ?? StoreError(.noSuchAsset(token.description))
        }
        return change
    }

    /// Ends the recording of a live stream. Segments that its playlists have listed so far are still fetched, then the
    /// asset is complete. A recording that does not run ends with its stored segments. Other assets do not change.
    package func stopRecording(_ token: AssetToken) throws(StoreError) {
        guard try catalog.assets.asset(token) != nil else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard !recordings.stop(token) else { return }
        try endRecording(of: token)
        // A recording that has begun in the meantime may not have seen its end in the catalog.
        _ = recordings.stop(token)
    }

    /// Ends the recordings among assets whose transfers were stopped, as many as it can.
    ///
    /// - Throws: the first error.
    private func endRecordings(of tokens: [AssetToken]) throws(StoreError) {
        let recordings = Set(try catalog.recordings.openRecordings())
        var failure: StoreError?
        for token in tokens where recordings.contains(token) {
            do throws(StoreError) { try endRecording(of: token) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Ends a recording whose transfers were stopped.
    private func endRecording(of token: AssetToken) throws(StoreError) {
        try BundlePlaylists(catalog: catalog, paths: paths, token: token)
            .end(.stopped, at: wall.now)
    }
}
