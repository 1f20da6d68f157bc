internal import HLSPlaylist
internal import Logging

extension StreamIntake {
    /// Enters requests in one transaction, without reading the streams: the engine reads the playlists when an
    /// asset's turn is near. An unusable stream fails then, with the reason.
    ///
    /// - Parameters:
    ///   - isHeld: whether they wait for `release`.
    ///   - next: the number of the requested assets that are to be stored or queued. Requests that were never entered
    ///     are added until this number is reached. `nil` enters all.
    /// - Throws: `invalidURL` if one of the addresses is not valid; then nothing is entered.
    package func enqueue(
        _ requests: [AssetRequest], isHeld: Bool = false, next: Int? = nil
    ) async throws(StoreError) -> Enqueued {
        let now = wall.now
        // Tokens of the same millisecond are in order after sorting.
        let tokens = requests.map { _ in AssetToken(at: now) }.sorted()
        var assets: [NewAsset] = []
        assets.reserveCapacity(requests.count)
        for (request, token) in zip(requests, tokens) {
            let url = try StreamAddress.checked(request.url)
            var record = AssetRecord(
                token: token, name: request.name ?? StreamName.ofAddress(url), sourceURL: url, state: .queued,
                reason: StateReason.slot.rawValue, requestedAt: now)
            record.selection = request.selection
            record.meta = request.meta
            record.accept(request)
            record.address = vault.digest(Array(url.utf8))
            try record.identify(request, vault)
            assets.append(NewAsset(record: record, request: try vault.sealed(request, token)))
        }
        await lookAtConnection()
        if isHeld { await engine.hold(tokens) }
        do throws(StoreError) {
            let enqueued = try catalog.queue.enqueue(assets, next: next)
            if isHeld { await engine.release(Array(Set(tokens).subtracting(enqueued.tokens))) }
            if !isHeld { await engine.sync() }
            // Live streams do not wait for their turn.
            for (request, token) in zip(requests, tokens)
            where request.selection.recording != nil && enqueued.tokens.contains(token) {
                _ = await engine.resolution(of: token)
            }
            return enqueued
        } catch {
            await engine.release(tokens)
            throw error
        }
    }

    /// Checks a request without asking any origin.
    ///
    /// - Throws: `invalidURL`.
    package static func check(_ request: AssetRequest) throws(StoreError) {
        _ = try StreamAddress.checked(request.url)
    }

    /// Resolves an entered asset: reads its stream, and enters its renditions.
    func resolve(_ token: AssetToken) async throws(StoreError) {
        guard let record = try catalog.assets.asset(token), let sealed = try catalog.queue.request(of: token)
        else {
            return
        }
        let request = try vault.request(sealed, token)
        let found = try await survey.read(
            request, url: record.sourceURL, token: token, tries: Origin.patientTries, isEntered: true)
        tell(found.lost, of: token)
        // The folders of renditions are made before their rows.
        await turns.take(token)
        defer { turns.release(token) }
        try enter(found, of: record, title: request.name == nil ? found.request.name : nil)
        if found.keys.contains(where: { $0.renewAt != nil }) { renewals.schedule() }
        notices.changed(token)
    }

    /// Resolves an asset before its renditions are changed.
    func resolveFirst(_ token: AssetToken) async throws(StoreError) {
        guard try catalog.queue.isUnresolved(token) else { return }
        await untilResolved(token, patience: .seconds(60))
    }

    /// Reads the playlists of an asset before its turn, and waits for that, for `patience` at most.
    package func untilResolved(_ token: AssetToken, patience: Duration) async {
        let ends = await engine.resolution(of: token)
        await withTaskGroup { group in
            group.addTask { for await _ in ends {} }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Logs the streams that were left out of an asset.
    func tell(_ lost: [String], of token: AssetToken) {
        for reason in lost {
            log.warning("left out", metadata: ["token": "\(token)", "error": "\(reason)"])
        }
    }
}
