/// The URL at which the other nodes of a store reach a node: a scheme, a host and a port.
package struct NodeURL: Sendable, Equatable {
    /// The URL without a slash at the end.
    package let text: String
    /// The host, without the brackets of IPv6.
    package let host: String

    /// The reason for which a text is not such a URL.
    package enum Fault: Error, Sendable, Equatable {
        /// It does not begin with http:// or https://.
        case scheme
        /// It has a user name or a password.
        case user
        /// It has a path, a query or a fragment.
        case path
        /// The host is missing, or has other characters than a name or a numeric address.
        case host
        /// The port is not a number from 1 to 65535.
        case port
        /// The host means every address of a machine.
        case everyAddress
    }

    /// Reads a URL such as `http://films-1.example:8090`.
    package init(_ text: String) throws(Fault) {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            throw .scheme
        }
        var rest = text.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest.removeLast() }
        guard !rest.contains(where: { "/?#\\".contains($0) }) else { throw .path }
        guard !rest.contains("@") else { throw .user }
        let host = Self.host(of: rest)
        let port = rest.dropFirst(host.count)
        guard Self.isHost(host) else { throw .host }
        guard port.isEmpty || Self.isPort(port) else { throw .port }
        self.host = String(host.hasPrefix("[") ? host.dropFirst().dropLast() : host)
        guard !["0.0.0.0", "::"].contains(self.host) else { throw .everyAddress }
        self.text = scheme + rest
    }

    /// The default: the name of the machine.
    package init(hostName: String, port: UInt16) throws(Fault) { try self.init("http://\(hostName):\(port)") }

    private static func host(of authority: Substring) -> Substring {
        guard authority.hasPrefix("["), let end = authority.firstIndex(of: "]") else {
            return authority.prefix { $0 != ":" }
        }
        return authority[...end]
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") {
            let address = host.dropFirst().dropLast()
            return address.contains(":") && address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        }
        return !host.isEmpty
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    }

    private static func isPort(_ text: Substring) -> Bool {
        guard text.first == ":", text.dropFirst().allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return false
        }
        return UInt16(text.dropFirst()).map { $0 > 0 } ?? false
    }

    /// Whether only programs on the same machine can reach the URL.
    package var isLoopback: Bool {
        host == "localhost" || ListenAddress(host: host, port: 1).isLoopback
    }
}

extension NodeURL.Fault {
    /// The sentence about the fault.
    ///
    /// - Parameter name: the option or the setting with the URL.
    package func sentence(about name: String) -> String {
        let fault =
            switch self {
            case .scheme: "does not begin with http://"
            case .user: "has a user name or a password"
            case .path: "has a path, a query or a fragment"
            case .host: "has no valid host"
            case .port: "has a port that is not a number from 1 to 65535"
            case .everyAddress: "stands for every address of a machine"
            }
        return
            "\(name) \(fault): write http://, the name or address of this machine and the port, such as http://films-1.example:8090."
    }
}

extension PlaybackServer {
    /// The warning about a node that listens on a loopback address, so that other machines can't reach it at its URL.
    /// `nil` if it listens on another address, or if its URL has a loopback address, too.
    package static func warning(of url: NodeURL, listeningAt address: ListenAddress) -> String? {
        guard address.isLoopback, !url.isLoopback else { return nil }
        return
            "the other machines can't reach this node at \(url.text), because it listens on \(address.host) only; start it with --lan or --listen 0.0.0.0:\(address.port), or name the address of a proxy on this machine with --node-url"
    }
}
