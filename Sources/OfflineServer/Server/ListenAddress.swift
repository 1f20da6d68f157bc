/// An address and a port to listen on: `127.0.0.1:8090`, `[::1]:0`, `:8090`, `8090`.
public struct ListenAddress: Equatable, Sendable {
    /// A numeric address, without brackets.
    public var host: String
    /// The port; with 0 the system chooses one.
    public var port: UInt16
    /// The default port.
    public static let usualPort: UInt16 = 8090

    /// An address of a numeric host.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads an address as users write it. A port alone and `localhost` stand for 127.0.0.1.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else {
            guard let port = UInt16(text) else { return nil }
            self.init(host: "127.0.0.1", port: port)
            return
        }
        guard let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("[") && host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.isEmpty || host == "localhost" { host = "127.0.0.1" }
        self.init(host: host, port: port)
    }

    /// The sentence about a text that is not an address to listen on.
    package static func fault(_ text: String) -> String {
        let port = text.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
        guard !port.isEmpty, port.allSatisfy(\.isNumber) else {
            return
                "--listen wants ADDRESS:PORT, such as 127.0.0.1:8090, [::1]:8090 or 8090, and not '\(text)'."
        }
        return
            "The port \(port) of --listen is out of range: choose one from 1 to 65535, or 0 for a free one."
    }

    /// Whether only programs on this machine can reach the address.
    public var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// Whether it means every address of this machine, of IPv4 or of IPv6.
    package var isEveryOne: Bool { host == "0.0.0.0" || host == "::" }

    /// The host for the server's own URLs: for "every address", the loopback address of the family. IPv6 sockets take
    /// IPv6 only.
    package var urlHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "[::1]"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The address as users write it: `127.0.0.1:8090`, `[::1]:8090`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
