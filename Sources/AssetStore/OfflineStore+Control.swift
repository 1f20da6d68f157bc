internal import Logging
internal import SystemPackage

/// The outcome of an action on several assets.
public struct ControlOutcome: Sendable {
    /// The assets for which it holds now.
    public var done: [AssetChange] = []
    /// The assets for which it was refused, with the reason.
    public var refused: [(token: AssetToken, error: StoreError)] = []

    /// Nothing was asked for.
    public init() {}

    mutating func add(_ token: AssetToken, _ result: Result<AssetChange, StoreError>) {
        switch result {
        case .success(let change): done.append(change)
        case .failure(let error): refused.append((token, error))
        }
    }
}

extension OfflineStore {
    /// Waits until nothing more happens with an asset by itself: it is complete, failed, cancelled or paused.
    package func untilSettled(_ token: AssetToken) async { await engine.untilSettled(token) }

    /// Why a download ended, where the catalog could not take it: on a full disk, say.
    package func unrecordedFailure(of token: AssetToken) async -> StoreError? {
        await engine.unrecordedFailure(of: token)
    }

    /// How long what is stored of a cancelled asset is kept for a resume.
    static let cancelledKeepMilliseconds: Int64 = 24 * 3600 * 1000
    /// The name of the cursor that notes up to when cancelled assets were looked at for the beginnings of files.
    private static let purgeCursor = "purged"
    /// How long events are kept.
    static let eventKeepMilliseconds: Int64 = 30 * 24 * 3600 * 1000

    /// Does one thing to assets and to those of their interstitials: writes what is wanted in one transaction, and returns
    /// when it holds. What holds already is fine.
    ///
    /// - Parameters:
    ///   - action: `pause`, `resume`, `cancel` or `remove`.
    ///   - purge: whether `cancel` also frees what is stored.
    ///   - starts: whether what is queued then begins at once, and not with the next `start`.
    public func perform(
        _ action: AssetAction, on tokens: [AssetToken], purge: Bool = false, starts: Bool = true
    ) async throws(StoreError) -> ControlOutcome {
        let others = try catalog.interstitials.interstitialAssets(of: tokens).filter { !tokens.contains($0) }
        if action == .cancel { returning.cancel(tokens + others, purge: purge) }
        if action == .resume { for token in tokens + others { await refetchWrongKeys(of: token) } }
        var outcome = try await apply(action, to: tokens + others, starts: starts)
        let done = outcome.done.map(\.token)
        if action == .remove { try forgive(&outcome) }
        if action == .resume { await engine.release(done) } else { await engine.halt(done) }
        let failure = cleanUp(after: action, on: done, purge: purge)
        changed(Set(done))
        if starts { await engine.sync() }
        if let failure { throw failure }
        if !others.isEmpty {
            outcome.done.removeAll { others.contains($0.token) }
            outcome.refused.removeAll { others.contains($0.token) }
        }
        return outcome
    }

    /// Counts assets that were removed before as removed.
    private func forgive(_ outcome: inout ControlOutcome) throws(StoreError) {
        for (token, error) in outcome.refused {
            guard case .noSuchAsset = error.code, try catalog.assets.wasThere(token) else { continue }
            outcome.refused.removeAll { $0.token == token }
            outcome.done.append(AssetChange(token: token, from: .removing, to: .removing))
        }
    }

    /// Writes what is wanted; then what of it was imported, and is not there any more, is brought back.
    private func apply(
        _ action: AssetAction, to tokens: [AssetToken], starts: Bool
    ) async throws(StoreError) -> ControlOutcome {
        let imported = try action == .resume ? lackingImports(among: tokens) : []
        let broughtBack = Set(imported.map(\.token))
        var outcome = ControlOutcome()
        let detail = TransitionDetail(reason: action == .resume ? .slot : .user, now: context.clock.now)
        let rest = tokens.filter { !broughtBack.contains($0) }
        for (token, result) in try catalog.assets.apply(action, to: rest, detail) {
            outcome.add(token, result)
        }
        // What is brought back may start what is queued.
        if !imported.isEmpty { await engine.release(outcome.done.map(\.token)) }
        for asset in imported {
            let result = await resumeImport(asset, starts: starts)
            outcome.add(asset.token, result)
        }
        return outcome
    }

    /// Does with folders what an action means that the catalog has, as much of it as it can: a full disk takes no
    /// playlists of a recording, and what is freed makes room.
    ///
    /// - Returns: why it could not; the action holds nevertheless, and who has looked something up is to be told so.
    private func cleanUp(after action: AssetAction, on tokens: [AssetToken], purge: Bool) -> StoreError? {
        var failure: StoreError?
        if action == .pause || action == .cancel {
            do throws(StoreError) { try endRecordings(of: tokens) } catch { failure = error }
        }
        if action == .remove {
            do throws(StoreError) { try dispose(tokens) } catch { failure = failure ?? error }
        }
        if action == .cancel, purge {
            let reason = self.purge(tokens).failure
            failure = failure ?? reason
        }
        return failure
    }

    /// Does one thing to one asset.
    ///
    /// - Throws: `noSuchAsset`, or `wrongState` when its state forbids that.
    @discardableResult
    public func perform(
        _ action: AssetAction, on token: AssetToken, purge: Bool = false
    ) async throws(StoreError) -> AssetChange {
        let outcome = try await perform(action, on: [token], purge: purge)
        guard let change = outcome.done.first else {
            throw outcome.refused.first?.error ?? StoreError(.noSuchAsset(token.description))
        }
        return change
    }

    /// The assets that an action on all of them concerns: those it changes.
    package func tokens(for action: AssetAction) throws(StoreError) -> [AssetToken] {
        try reader.tokens(for: action)
    }

    /// Deletes an asset with everything it has. Works offline; one that was removed before is fine. It is
    /// gone from view when this returns; its files are deleted afterwards.
    public func remove(_ token: AssetToken) async throws(StoreError) {
        try await perform(.remove, on: token)
    }

    /// Changes the name, the priority, the user's own data of an asset, or the terms of its download, which hold at
    /// once.
    public func edit(_ token: AssetToken, _ edit: AssetEdit) async throws(StoreError) {
        try catalog.assets.edit(token, edit, at: context.clock.now)
        changed(token)
        if edit.priority != nil { await engine.sync() }
        if edit.rateLimit != nil || edit.schedule != nil || edit.isMeteredOK != nil {
            try await engine.reconsider(token)
        }
    }

    /// Returns when all that was removed is deleted.
    package func untilDisposed() async { await disposer.untilDone() }

    func dispose(_ tokens: [AssetToken]) throws(StoreError) {
        let items = try discard(tokens)
        defer { disposer.forgetErased() }
        try disposer.dispose(items)
    }

    /// Takes assets out of the catalog; their folders are to be deleted.
    func discard(_ tokens: [AssetToken]) throws(StoreError) -> [Disposal] {
        try catalog.storage.discard(tokens, at: context.clock.now) { !FileSystem.isAbsent(paths.asset($0)) }
    }

    /// Frees what is stored of a cancelled asset, and what had come of the rest.
    func purge(_ token: AssetToken) throws(StoreError) {
        try disposer.dispose(try catalog.storage.purge(token) { hasRest(paths.rendition(token, $0)) })
        do throws(StoreError) {
            try restorePlaylists(token)
        } catch {
            // What fetches the asset again makes them then; there may be no room for them now.
            log.warning(
                "playlists could not be made again",
                metadata: ["token": "\(token)", "error": "\(error.message)"])
        }
    }

    /// Whether more than its playlist is in a rendition's folder, or nobody can tell: beginnings of segments, or whole ones
    /// that were not entered any more.
    private func hasRest(_ folder: FilePath) -> Bool {
        do throws(StoreError) {
            return try FileSystem.contents(of: folder).contains { $0 != ServedMediaPlaylist.fileName }
        } catch {
            return !FileSystem.isAbsent(folder)
        }
    }

    /// Frees what is stored of cancelled assets, of as many as it can.
    ///
    /// - Parameter isSpared: whether one stays, when its turn has come.
    /// - Returns: those that did not, and why the first one could not be freed, if so.
    private func purge(
        _ tokens: [AssetToken], unless isSpared: (AssetToken) -> Bool = { _ in false }
    ) -> (tried: Set<AssetToken>, failure: StoreError?) {
        var (tried, failure) = (Set<AssetToken>(), StoreError?.none)
        for token in tokens where !isSpared(token) {
            tried.insert(token)
            do throws(StoreError) { try purge(token) } catch { failure = failure ?? error }
        }
        return (tried, failure)
    }

    /// Frees what has been kept long enough, and what could not be deleted so far. Cheap when there is nothing to do.
    package func tidy() throws(StoreError) {
        disposer.tryAgain()
        let now = context.clock.now.milliseconds
        let kept = Timestamp(milliseconds: now - Self.cancelledKeepMilliseconds)
        let earlier = Timestamp(milliseconds: try catalog.events.cursor(Self.purgeCursor) ?? 0)
        // After a clock that was ahead, all are looked at once more.
        let tokens = try catalog.storage.keptCancelled(
            before: kept, lookedAtUntil: earlier <= kept ? earlier : Timestamp(milliseconds: 0))
        let (freed, failure) = purge(tokens, unless: returning.contains)
        if !freed.isEmpty { changed(freed) }
        try catalog.events.forgetEvents(before: Timestamp(milliseconds: now - Self.eventKeepMilliseconds))
        if let failure { throw failure }
        guard freed.count == tokens.count, !tokens.isEmpty || kept < earlier else { return }
        try catalog.events.setCursor(Self.purgeCursor, kept.milliseconds)
    }
}

extension StoreReader {
    /// All assets, the oldest first.
    public func tokens() throws(StoreError) -> [AssetToken] {
        try catalog?.assets.tokens(in: AssetState.allCases) ?? []
    }

    /// The assets that an action on all of them concerns: those it changes, the oldest first.
    package func tokens(for action: AssetAction) throws(StoreError) -> [AssetToken] {
        let states = AssetState.allCases.filter {
            let next = action.outcome(from: $0)
            return next != nil && next != $0
        }
        return try catalog?.assets.tokens(in: states) ?? []
    }
}
