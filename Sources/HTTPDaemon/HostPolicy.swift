/// The host names that a server accepts: the defense against DNS rebinding, in which a web page reaches a local
/// server under the page's own name.
public struct HostPolicy: Equatable, Sendable {
    private let hosts: Set<String>
    private let port: UInt16

    /// Answers to `hosts` (names, IPv4 addresses, IPv6 addresses with or without brackets; any case) at `port`.
    public init(allowed hosts: some Sequence<String>, port: UInt16) {
        self.hosts = Set(hosts.map { Self.canonical($0) })
        self.port = port
    }

    /// `localhost`, `127.0.0.1` and `[::1]` at `port`, and `addresses` besides.
    public static func loopback(port: UInt16, and addresses: [String] = []) -> HostPolicy {
        HostPolicy(allowed: ["localhost", "127.0.0.1", "::1"] + addresses, port: port)
    }

    /// Whether `authority` (``Request/authority``) names this server: one of its hosts, and its port, which may be
    /// missing only if it is 80. A missing authority and a host with a trailing dot are refused.
    public func permits(_ authority: String?) -> Bool {
        guard let authority, let parsed = Authority(authority.utf8) else { return false }
        return (parsed.port ?? 80) == port && hosts.contains(parsed.host)
    }

    private static func canonical(_ host: String) -> String {
        let lowercased = host.lowercased()
        return lowercased.contains(":") && !lowercased.hasPrefix("[") ? "[\(lowercased)]" : lowercased
    }
}
