extension ProxyPolicy {
    /// Reads the settings of a server.
    ///
    /// - Parameter proof: the proof of the nodes of the store.
    init(_ configuration: PlaybackServer.Configuration, proof: String?) throws(PlaybackServerError) {
        let url = configuration.publicURL
        let publicURL = url.flatMap(PublicURL.init)
        if let url, publicURL == nil { throw .invalidPublicURL(url) }
        if let wrong = configuration.trustedProxies.first(where: { !Self.isAddress($0) }) {
            throw .invalidProxy(wrong)
        }
        self.init(publicURL: publicURL, trusted: configuration.trustedProxies, proof: proof)
    }
}

extension AccessPolicy {
    /// The policy of a server at a port.
    ///
    /// - Parameter proof: the proof of the nodes of the store; `nil` if it is not shared.
    init(
        _ configuration: PlaybackServer.Configuration, port: UInt16, proof: String?
    ) throws(PlaybackServerError) {
        var origins: [String] = []
        for origin in configuration.allowedOrigins {
            guard let known = AllowedOrigin.normalized(origin) else { throw .invalidOrigin(origin) }
            origins.append(known)
        }
        self.init(
            address: configuration.address.host, port: port, allowedOrigins: origins,
            allowsAnyName: configuration.demandsToken, proxies: try ProxyPolicy(configuration, proof: proof))
    }
}

extension PlaybackServer.Configuration {
    /// Whether every request must show the API token.
    package var demandsToken: Bool { requiresToken || !address.isLoopback }
}
