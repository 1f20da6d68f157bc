internal import Forwarding
internal import HTTPDaemon
internal import HTTPTypes

/// A web address that people use: a scheme, a name with or without a port, and perhaps a path.
package struct PublicURL: Sendable, Equatable {
    /// Scheme and authority in lowercase, as browsers write an origin.
    package let origin: String
    /// Host and port in the form of the Host field.
    let authority: String
    /// The path without a slash at the end; empty without one.
    let path: String

    /// Reads an http or https URL without user information, query and fragment; `nil` for any other text.
    package init?(_ text: String) {
        var rest = text[...]
        while rest.hasSuffix("/") { rest.removeLast() }
        guard let mark = rest.firstRange(of: "://") else { return nil }
        let end = rest[mark.upperBound...].firstIndex(of: "/") ?? rest.endIndex
        guard let origin = AllowedOrigin.normalized(String(rest[..<end])),
            origin.hasPrefix("http://") || origin.hasPrefix("https://"),
            let authority = origin.split(separator: "/").last.map(String.init),
            rest[end...].utf8.allSatisfy({
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            })
        else { return nil }
        (self.origin, self.authority, path) = (origin, authority, String(rest[end...]))
    }
}

/// Finds the address at which a client reaches the server through reverse proxies. Pure.
package struct ProxyPolicy: Sendable {
    /// The address of the proxy for all clients.
    let publicURL: PublicURL?
    /// Numeric addresses of proxies whose X-Forwarded-Proto and X-Forwarded-Host fields are used.
    private let trusted: Set<String>
    /// The proof by which nodes of the same store are known, which pass requests on; `nil` if there are none.
    private let proof: String?

    init(publicURL: PublicURL? = nil, trusted: [String] = [], proof: String? = nil) {
        self.publicURL = publicURL
        self.trusted = Set(trusted.map(Self.plain))
        self.proof = proof
    }

    /// Whether another node of the store has passed the request on. It has judged the request's names itself.
    func isFromNode(_ request: Request) -> Bool {
        guard let proof, let shown = request.header(.offlineServerNode) else { return false }
        return TokenGate.isEqual(shown, proof)
    }

    /// Whether the request was passed on by a node that demands the token. Such a node leaves the check to the active
    /// node, which alone knows the browsers that have signed in.
    func demandsToken(_ request: Request) -> Bool {
        request.header(.offlineServerDemand) == "token" && isFromNode(request)
    }

    /// Whether another node asks for itself for the object of a segment.
    func wantsObject(_ request: Request) -> Bool {
        request.header(NamedObject.demand.name) == NamedObject.demand.value && isFromNode(request)
    }

    /// The header fields for the request that this node passes on to another one: its proof, and the address at which
    /// the client reaches this node, unless the other node finds it out itself.
    ///
    /// - Parameter isClosed: whether this node demands the token, and so must the other one.
    func fields(passingOn request: Request, isClosed: Bool) -> HTTPFields {
        var fields = HTTPFields()
        fields[.offlineServerNode] = proof
        if isClosed { fields[.offlineServerDemand] = "token" }
        if trusted.contains(Self.plain(request.peer)), let told = told(by: request), let url = PublicURL(told)
        {
            fields[.forwardedProto] = String(url.origin.prefix { $0 != ":" })
            fields[.forwardedHost] = url.authority
        } else if !isPublicName(request.authority), let authority = request.authority {
            fields[.forwardedProto] = "http"
            fields[.forwardedHost] = authority
        }
        return fields
    }

    /// Whether a text is a numeric address, such as that of a client.
    package static func isAddress(_ text: String) -> Bool {
        let plain = plain(text)
        let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 4 { return parts.allSatisfy { UInt8($0) != nil } }
        return plain.contains(":") && plain.allSatisfy { $0.isHexDigit || $0 == ":" }
    }

    /// An address without brackets, and one of IPv4 not in the form of IPv6.
    private static func plain(_ text: String) -> String {
        var text = text.lowercased().filter { $0 != "[" && $0 != "]" }
        if text.hasPrefix("::ffff:"), text.contains(".") { text.removeFirst(7) }
        return text
    }

    /// Whether a request has the proxy's name: then the proxy has passed on the Host field of its client.
    func isPublicName(_ authority: String?) -> Bool {
        guard let authority, let publicURL else { return false }
        return authority.lowercased() == publicURL.authority
    }

    /// The address at which the client reaches the server; `nil` if no proxy changes it. Forwarding fields from the
    /// client itself are ignored.
    func outerAddress(of request: Request) -> String? {
        let isBelieved = trusted.contains(Self.plain(request.peer)) || isFromNode(request)
        if isBelieved, let told = told(by: request) { return told }
        guard let publicURL, isPublicName(request.authority) else { return nil }
        return publicURL.origin + publicURL.path
    }

    /// The address that a proxy's client has used, from the last item of each forwarding field, which the proxy
    /// itself has added.
    private func told(by request: Request) -> String? {
        func last(_ name: HTTPField.Name) -> String? {
            request.header(name)?.split(separator: ",").last.map { $0.filter { $0 != " " }.lowercased() }
        }
        let scheme = last(.forwardedProto)
        let authority = last(.forwardedHost) ?? request.authority?.lowercased()
        guard scheme != nil || last(.forwardedHost) != nil, let authority else { return nil }
        return PublicURL("\(scheme ?? "http")://\(authority)")?.origin
    }
}

extension HTTPField.Name {
    /// The proof of a node that passes a request on.
    static let offlineServerNode = HTTPField.Name("Offline-Server-Node") ?? .via
    /// The requirement, such as a token, that a node has for the client whose request it passes on.
    fileprivate static let offlineServerDemand = HTTPField.Name("Offline-Server-Demand") ?? .via
    fileprivate static let forwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .via
    fileprivate static let forwardedHost = HTTPField.Name("X-Forwarded-Host") ?? .via
}
