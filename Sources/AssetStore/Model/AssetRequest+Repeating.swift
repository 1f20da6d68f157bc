internal import HLSPlaylist

extension AssetRequest {
    /// The request without what is secret in it: header values, cookies, user information and queries.
    var withoutSecrets: AssetRequest {
        var request = self
        request.url = URIReference(url).redacted
        request.access = access.withoutSecrets
        request.artwork = artwork.map(Self.shown)
        for index in subtitleFiles.indices {
            request.subtitleFiles[index].source = Self.shown(subtitleFiles[index].source)
        }
        request.clientID = nil
        return request
    }

    /// A path as it is, and a URL without user information and query.
    private static func shown(_ source: String) -> String {
        source.contains("://") ? URIReference(source).redacted : source
    }

    /// What tells two requests apart that have the same client id.
    func fingerprint(_ vault: KeyVault) throws(StoreError) -> [UInt8] {
        var request = self
        request.clientID = nil
        guard let text = try? JSONText.encode(request) else { throw StoreError(.invalidURL("this")) }
        return vault.digest(Array(text.utf8))
    }
}

extension StoreReader {
    /// What one would ask for to have an asset again, with its terms as they are now, and without secrets: header values,
    /// cookies, user information and queries.
    ///
    /// - Throws: `imported` when it came from a folder.
    public func request(for token: AssetToken) throws(StoreError) -> AssetRequest {
        guard let catalog, let record = try catalog.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        guard record.folder == nil else { throw StoreError(.imported(wanted: "asked for again")) }
        let license = try catalog.license(of: token)
        let asked = try catalog.asked(of: token)
        var request = asked ?? Self.request(of: record, license)
        request.url = record.displayURL
        (request.priority, request.meta) = (record.priority, record.meta)
        (request.schedule, request.isMeteredOK) = (record.schedule, record.isMeteredOK)
        request.access.rateLimit = record.rateLimit
        return request
    }

    /// What is known of a request that an older version has entered.
    private static func request(of record: AssetRecord, _ license: License?) -> AssetRequest {
        var request = AssetRequest(url: record.displayURL)
        request.name = record.name
        request.selection = record.selection
        (request.selection.additions, request.selection.partStart) = (nil, nil)
        request.license = LicenseTerms(
            rental: license?.terms.rental, playWindow: license?.terms.playWindow)
        return request
    }
}

extension OriginAccess {
    /// The members that are no secret. A member that is added later is taken for one until it is named here.
    fileprivate var withoutSecrets: OriginAccess {
        var access = OriginAccess()
        access.userAgent = userAgent
        access.proxy = proxy.map { $0.contains("@") ? URIReference($0).redacted : $0 }
        access.certificateAuthority = certificateAuthority
        access.rateLimit = rateLimit
        access.isPrivate = isPrivate
        return access
    }
}
