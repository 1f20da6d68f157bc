internal import HLSPlaylist

extension AssetRequest {
    /// The request without secrets: header values, cookies, user information and queries.
    package var withoutSecrets: AssetRequest {
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

    /// A path unchanged, or a URL without user information and query.
    private static func shown(_ source: String) -> String {
        source.contains("://") ? URIReference(source).redacted : source
    }
}

extension OriginAccess {
    /// The access with only those members that are known not to be secret. A new member counts as secret until it is
    /// named here.
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
