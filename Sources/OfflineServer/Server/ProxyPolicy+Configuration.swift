extension ProxyPolicy {
    /// Reads the settings of a server.
    init(_ configuration: PlaybackServer.Configuration) throws(PlaybackServerError) {
        let url = configuration.publicURL
        let publicURL = url.flatMap(PublicURL.init)
        if let url, publicURL == nil { throw .invalidPublicURL(url) }
        if let wrong = configuration.trustedProxies.first(where: { !Self.isAddress($0) }) {
            throw .invalidProxy(wrong)
        }
        self.init(publicURL: publicURL, trusted: configuration.trustedProxies)
    }
}
