internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// Decides which requests are answered: those to one of the server's names, and those from pages of trusted origins.
/// Other web pages must neither read from this server (DNS rebinding, cross-origin requests) nor change anything.
struct AccessPolicy: Sendable {
    let hosts: HostPolicy
    /// Whether any name is accepted. This is safe if every request needs the API token.
    private let allowsAnyName: Bool
    private let usualNames: Set<String>
    /// Our own origins, as browsers write them.
    let ownOrigins: Set<String>
    /// The policy for proxies in front of the server.
    let proxies: ProxyPolicy
    /// Origins that the user allowed to read media: whole ones, `http://host:*` for any port, `*` for all.
    let allowedOrigins: Set<String>

    init(
        address: String, port: UInt16, allowedOrigins: [String], allowsAnyName: Bool = false,
        proxies: ProxyPolicy = ProxyPolicy()
    ) {
        (self.allowsAnyName, self.proxies) = (allowsAnyName, proxies)
        let isAny = ["0.0.0.0", "::"].contains(address)
        let names = ["localhost", "127.0.0.1", "[::1]"] + (isAny ? [] : [Self.bracketed(address)])
        hosts = HostPolicy.loopback(port: port, and: isAny ? [] : [address])
        let origins = names.map { "http://\($0)\(port == 80 ? "" : ":\(port)")" }
        ownOrigins = Set(origins + [proxies.publicURL?.origin].compactMap(\.self))
        usualNames = Set(names.map { "\($0):\(port)" })
        self.allowedOrigins = Set(allowedOrigins.map { $0.lowercased() })
    }

    private static func bracketed(_ address: String) -> String {
        address.contains(":") ? "[\(address)]" : address
    }

    /// Whether a request has the most usual name of the server, letter for letter.
    func isUsualName(_ authority: String?) -> Bool { authority.map(usualNames.contains) ?? false }

    /// The decision about a request.
    enum Verdict {
        /// The request is answered. If `sharedWith` names an origin, the browser may let its pages read the answer.
        case permitted(sharedWith: String?)
        case refused(Problem)
    }

    /// Judges a request by its method and path.
    func verdict(on request: Request) -> Verdict {
        // A ClearKey license request is a POST, but changes nothing.
        let isLicense = request.method == .post && request.path.hasSuffix("/clearkey")
        let isRead = request.method == .get || request.method == .head || isLicense
        return judge(
            request, changesState: !isRead && request.method != .options,
            isMedia: request.path.hasPrefix("/assets/"))
    }

    /// Judges a request.
    ///
    /// - Parameters:
    ///   - changesState: whether the request changes anything; then only the server's own pages may send it.
    ///   - isMedia: whether allowed origins may read the answer.
    func judge(_ request: Request, changesState: Bool, isMedia: Bool = true) -> Verdict {
        Trace.pass(.accessPolicy, request.traced)
        let isForOthers = isMedia && !changesState
        guard
            allowsAnyName || hosts.permits(request.authority) || request.authority == nil
                || proxies.isPublicName(request.authority) || proxies.isFromNode(request)
        else {
            return .refused(
                Problem(
                    status: .misdirectedRequest, type: "unknown-host",
                    detail:
                        "This server does not answer under this name; use 127.0.0.1 or localhost with its port."
                ))
        }
        if let origin = request.header(.origin) {
            if isOwn(origin.lowercased(), request) { return .permitted(sharedWith: nil) }
            if isForOthers && allows(origin.lowercased()) { return .permitted(sharedWith: origin) }
            return .refused(Self.foreign)
        }
        switch request.header(.secFetchSite) {
        case nil, "same-origin", "none": return .permitted(sharedWith: nil)
        default:
            let isTrusted = isForOthers && allows(Self.embedder(request))
            return isTrusted || !changesState && Self.isOpened(request)
                ? .permitted(sharedWith: nil) : .refused(Self.foreign)
        }
    }

    /// Whether a user has opened the address as a page of its own, for example by a link.
    private static func isOpened(_ request: Request) -> Bool {
        request.header(.secFetchMode) == "navigate"
            && ["document", nil].contains(request.header(.secFetchDest)) && isForPeople(request)
    }

    /// Whether the path is a page or a resource of an asset that a link may open. Keys and decrypted media are
    /// excluded, since they may start the play window of a license.
    private static func isForPeople(_ request: Request) -> Bool {
        switch Route(path: request.path) {
        case .library?, .watch?: true
        case .page?: false
        case .asset(_, .key)?: false
        case .asset(_, .unit)?: !QueryItems(request.query).isClear
        case .asset?: true
        case .health?, .readiness?, .metrics?, .api?: false
        // The library's own address, without its last slash.
        case nil: request.path.isEmpty
        }
    }

    /// The origin of the page that embeds a resource, from the Referer field, for requests without an Origin field;
    /// empty without Referer. A page can't set Referer to another origin.
    private static func embedder(_ request: Request) -> String {
        let referrer = (request.header(.referer) ?? "").lowercased()
        return referrer.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3)
            .joined(separator: "/")
    }

    private func isOwn(_ origin: String, _ request: Request) -> Bool {
        ownOrigins.contains(origin) || request.outerAddress.flatMap(PublicURL.init)?.origin == origin
            || allowsAnyName && request.authority.map { "http://\($0.lowercased())" } == origin
    }

    private func allows(_ origin: String) -> Bool {
        guard !allowedOrigins.isEmpty, origin != "null" else { return false }
        if allowedOrigins.contains(origin) || allowedOrigins.contains("*") { return true }
        guard let colon = origin.lastIndex(of: ":"), origin[..<colon].contains("://") else { return false }
        return allowedOrigins.contains("\(origin[..<colon]):*")
    }

    private static let foreign = Problem.forbidden(
        "cross-origin",
        "Pages of other origins may not use this server; start it with --allow-origin to let one read media, which it embeds with the attribute crossorigin."
    )
}

/// Normalizes the origins that users write to the form that browsers send (RFC 6454, section 6.2).
package enum AllowedOrigin {
    /// The normalized origin; `nil` for a text that no browser sends: with a path, or without a scheme.
    package static func normalized(_ text: String) -> String? {
        if text == "*" { return text }
        var origin = text.lowercased()
        if origin.hasSuffix("/") { origin.removeLast() }
        guard let mark = origin.firstRange(of: "://"), mark.lowerBound > origin.startIndex else { return nil }
        let authority = origin[mark.upperBound...]
        guard !authority.isEmpty, !authority.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        for (scheme, port) in [("https:", ":443"), ("http:", ":80")]
        where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
            return String(origin.dropLast(port.count))
        }
        return origin
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .referer
    static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .referer
    static let secFetchDest = HTTPField.Name("Sec-Fetch-Dest") ?? .referer
}
