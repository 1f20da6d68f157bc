internal import HLSPlaylist
internal import SystemPackage

extension OfflineStore {
    /// Takes the stream that an asset's origin has now in the place of the one of which a part is stored: under the same
    /// token and license, all of it is fetched anew. Nothing is lost when it can't be read.
    ///
    /// - Returns: whether it was another stream; else nothing was done.
    @discardableResult
    public func acceptChanges(of token: AssetToken) async throws(StoreError) -> Bool {
        guard let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard record.state != .removing, record.state != .resolving, try !catalog.queue.isUnresolved(token),
            record.folder == nil
        else { return false }
        await turns.take(token)
        defer { turns.release(token) }
        let origin = try context.origins.origin(
            try vault.access(of: record), of: record.sourceURL, rateGroup: nil)
        let clock = context.clock
        let check = DriftCheck(token: token, catalog: catalog, origin: origin) { clock.now }
        _ = try await check.finding()
        guard try catalog.health.drift(of: token) != nil else { return false }
        let request = try request(for: record)
        var found = try await read(request, url: record.sourceURL, token: token)
        if found.poster == nil { found.poster = try poster(of: record) }
        if let license = try catalog.licenses.license(of: token) { found.license = license }
        let former = try catalog.interstitials.interstitialAssets(of: [token])
        try await changing(token) { () throws(StoreError) in
            try catalog.health.forgetStream(of: token, request: try vault.sealed(request, token))
            try enter(found, of: record, title: nil)
        }
        if !former.isEmpty { _ = try await perform(.remove, on: former) }
        tell(found.lost, of: token)
        changed(token)
        return true
    }

    /// The request that would make the asset again as it was asked for.
    private func request(for record: AssetRecord) throws(StoreError) -> AssetRequest {
        let token = record.token
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
                paths.asset(record.token).appending(name), limit: Int(Self.artworkLimit))
        else { return nil }
        return Artwork(poster: bytes)
    }
}
