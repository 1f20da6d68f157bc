internal import HLSPlaylist
internal import SystemPackage

/// Changes the addresses of assets, and the access to their origins.
package struct SourceEditor: Sendable {
    let catalog: Catalog
    let paths: StorePaths
    let vault: KeyVault
    let context: EngineParts
    let engine: DownloadEngine
    let turns: Turns
    let relinker: Relinker
    let survey: StreamSurvey
    let intake: StreamIntake
    let control: AssetControl
    let notices: ChangeNotices

    /// Gives an asset a fresh address of the same stream. Stored media stay; missing media come from the new address,
    /// also of renditions that were given up, unless the asset is complete or the new address has other media for
    /// them. A failed download goes on.
    ///
    /// - Parameter edit: changes of the access to the origin.
    /// - Returns: whether stored segments of a complete asset were compared with those at the new address. The
    ///   segments of an incomplete asset are compared while its download goes on.
    /// - Throws: `notSameStream` if the new address lacks a missing segment or has other media than those that are
    ///   stored; the reason if a playlist can't be read. Then nothing has changed.
    @discardableResult
    package func relink(
        _ token: AssetToken, to url: String, _ edit: AccessEdit = AccessEdit()
    ) async throws(StoreError) -> Bool {
        var isCompared = true
        try await engine.resting(token) { () async throws(StoreError) in
            let relinked = try await relinker.relink(token, to: url, edit)
            isCompared = !relinked.isUncompared
            let given = Set(relinked.others.map(\.id))
            let asset = try catalog.assets.asset(token)
            var others: [RenditionRecord] = []
            if asset?.state != .complete {
                // Another request may have added some of them in the meantime.
                others = (try catalog.renditions.all(of: [token])[token] ?? []).filter { row in
                    row.failure != nil && given.contains(row.id)
                }
                try catalog.renditions.forgive(token)
            }
            defer {
                for row in others { try? catalog.renditions.setFailure(row.failure, ofRendition: row.id) }
            }
            if asset?.state == .failed || asset?.waitsForLink == true {
                try await control.perform(.resume, on: token)
            }
            notices.changed(token)
        }
        return isCompared
    }

    /// Changes the access to an asset's origin, from the next request on. A download that was refused goes on; stored
    /// media are not fetched again.
    package func changeAccess(of token: AssetToken, _ edit: AccessEdit) async throws(StoreError) {
        guard !edit.isEmpty else { return }
        try await engine.resting(token) { () async throws(StoreError) in
            guard let record = try catalog.assets.asset(token) else {
                throw StoreError(.noSuchAsset(token.description))
            }
            guard record.state != .removing else {
                throw StoreError(.wrongState(record.state, wanted: "changed"))
            }
            try vault.setAccess(of: record, edit, in: catalog)
            if record.wasRefused {
                try catalog.renditions.forgive(token)
                try await control.perform(.resume, on: token)
            }
        }
        notices.changed(token)
    }

    /// Replaces the stored stream by the one that the origin has now: all media are fetched anew, under the same
    /// token and license. If the new stream can't be read, the stored media stay.
    ///
    /// - Returns: whether it was a different stream; otherwise nothing was done.
    @discardableResult
    package func acceptChanges(of token: AssetToken) async throws(StoreError) -> Bool {
        guard let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard record.state != .removing, record.state != .resolving, try !catalog.queue.isUnresolved(token),
            record.folder == nil
        else { return false }
        await turns.take(token)
        defer { turns.release(token) }
        let origin = try context.origins.origin(try vault.access(of: record), of: record.sourceURL)
        let clock = context.clock
        let check = DriftCheck(token: token, catalog: catalog, origin: origin) { clock.now }
        _ = try await check.finding()
        guard try catalog.health.drift(of: token) != nil else { return false }
        let request = try request(for: record)
        var found = try await survey.read(request, url: record.sourceURL, token: token)
        if found.poster == nil { found.poster = try poster(of: record) }
        if let license = try catalog.licenses.license(of: token) { found.license = license }
        let former = try catalog.interstitials.interstitialAssets(of: [token])
        try await engine.resting(token) { () throws(StoreError) in
            try catalog.health.forgetStream(of: token, request: try vault.sealed(request, token))
            try intake.enter(found, of: record, title: nil)
        }
        if !former.isEmpty { _ = try await control.perform(.remove, on: former) }
        intake.tell(found.lost, of: token)
        notices.changed(token)
        return true
    }

    /// The request that would make the asset again as it was requested.
    private func request(for record: AssetRecord) throws(StoreError) -> AssetRequest {
        let token = record.token
        try paths.media?.restore(token)
        var request = AssetRequest(url: record.sourceURL)
        (request.name, request.meta, request.priority) = (record.name, record.meta, record.priority)
        (request.schedule, request.isMeteredOK) = (record.schedule, record.isMeteredOK)
        request.selection = record.selection
        request.access = try vault.access(of: record)
        request.license = try catalog.licenses.license(of: token)?.terms ?? LicenseTerms()
        request.allowsMissingKeys = try catalog.renditions.keys(of: token).contains { $0.sealed == nil }
        for row in try catalog.renditions.all(of: [token])[token] ?? [] {
            guard let name = row.sourceFile, let language = row.language else { continue }
            let file = paths.rendition(token, row.name).appending(name)
            request.subtitleFiles.append(
                SubtitleSource(source: file.string, language: language, name: row.title))
        }
        return request
    }

    /// The poster that an asset has, which may be the user's own.
    private func poster(of record: AssetRecord) throws(StoreError) -> Artwork? {
        guard let name = record.poster,
            let bytes = try DurableWrite.read(
                paths.asset(record.token).appending(name), limit: Int(StreamSurvey.artworkLimit))
        else { return nil }
        return Artwork(poster: bytes)
    }
}

extension AssetRecord {
    /// Whether the asset waits for a fresh address, or has failed because the origin refused access or a key could
    /// not be fetched.
    fileprivate var wasRefused: Bool {
        if waitsForLink { return true }
        guard state == .failed, let error else { return false }
        return [ErrorClass.auth, .key].contains { $0.rawValue == error.errorClass }
    }
}
