internal import FoundationEssentials
internal import HLSPlaylist

extension StoreReader {
    /// The assets that were removed after an event, and whether there may be more, because later events are no longer
    /// in the log or the event is from another store.
    package func removals(since event: Int64) throws(StoreError) -> (tokens: [AssetToken], hasGap: Bool) {
        guard let catalog, event > 0 else { return ([], false) }
        // Events that are deleted behind this read make a gap, too.
        let tokens = try catalog.assets.removed(since: event)
        let last = try catalog.events.lastEvent()
        let first = try catalog.events.firstEvent() ?? last + 1
        return (tokens, event + 1 < first || event > last)
    }

    /// Whether an asset existed and was removed.
    package func wasRemoved(_ token: AssetToken) throws(StoreError) -> Bool {
        guard let catalog, try catalog.assets.asset(token) == nil else { return false }
        return try catalog.assets.wasThere(token)
    }
}

extension StoreReader {
    /// The request that would make an asset again, with its present license terms, and without secrets: header
    /// values, cookies, user information and queries.
    ///
    /// - Throws: `imported` if it came from a folder.
    package func request(for token: AssetToken) throws(StoreError) -> AssetRequest {
        guard let catalog, let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard record.folder == nil else { throw StoreError(.imported(wanted: "asked for again")) }
        let license = try catalog.licenses.license(of: token)
        let asked = try catalog.assets.asked(of: token)
        var request = asked ?? AssetRequest(of: record, license)
        request.url = record.displayURL
        (request.priority, request.meta) = (record.priority, record.meta)
        (request.schedule, request.isMeteredOK) = (record.schedule, record.isMeteredOK)
        request.access.rateLimit = record.rateLimit
        return request
    }

    /// The newest asset of a request's address, if the same request made it and it is not complete.
    ///
    /// - Returns: `nil` if there is none, if the request is a recording, or if it has secrets, which may have changed.
    package func unfinished(by request: AssetRequest) throws(StoreError) -> AssetToken? {
        let plain = request.withoutSecrets
        guard let catalog, request.selection.recording == nil, request.access == plain.access
        else { return nil }
        let known = if let vault { vault } else { try KeyVault.existing(paths.storeKey) }
        guard let vault = known,
            let token = try catalog.queue.asset(
                ofAddress: vault.digest(Array(URIReference(request.url).description.utf8))),
            try catalog.assets.asset(token)?.state != .complete,
            try catalog.assets.asked(of: token) == plain
        else { return nil }
        return token
    }
}

extension AssetRequest {
    /// The request of an asset that an older version entered, as far as it is known.
    fileprivate init(of record: AssetRecord, _ license: License?) {
        self.init(url: record.displayURL)
        name = record.name
        selection = record.selection
        (selection.additions, selection.partStart) = (nil, nil)
        self.license = LicenseTerms(rental: license?.terms.rental, playWindow: license?.terms.playWindow)
    }
}
