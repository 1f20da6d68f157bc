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
        guard let origin = AllowedOrigin.normalized(String(rest[..<end])), origin != "*",
            origin.hasPrefix("http://") || origin.hasPrefix("https://"),
            let authority = origin.split(separator: "/").last.map(String.init),
            rest[end...].utf8.allSatisfy({
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            })
        else { return nil }
        (self.origin, self.authority, path) = (origin, authority, String(rest[end...]))
    }
}

/// The address of the server as reverse proxies in front of it make it. Pure.
package struct ProxyPolicy: Sendable {
    /// The address of the proxy for all clients.
    let publicURL: PublicURL?
    /// Numeric addresses of proxies that tell the client's own address.
    private let trusted: Set<String>

    init(publicURL: PublicURL? = nil, trusted: [String] = []) {
        self.publicURL = publicURL
        self.trusted = Set(trusted.map(Self.plain))
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
        if trusted.contains(Self.plain(request.peer)), let told = told(by: request) { return told }
        guard let publicURL, isPublicName(request.authority) else { return nil }
        return publicURL.origin + publicURL.path
    }

    /// The address of a proxy's client, in the last item of each field, which is the proxy's own.
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
    fileprivate static let forwardedProto = HTTPField.Name("X-Forwarded-Proto") ?? .via
    fileprivate static let forwardedHost = HTTPField.Name("X-Forwarded-Host") ?? .via
}
