/// An address and a port to listen on: `127.0.0.1:8090`, `[::1]:0`, `:8090`, `8090`.
public struct ListenAddress: Equatable, Sendable {
    /// A numeric address, without brackets.
    public var host: String
    /// 0 lets the system pick one.
    public var port: UInt16
    /// The port that is used unless another is wanted.
    public static let usualPort: UInt16 = 8090

    /// An address of a numeric host.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads an address as users write it; a port alone is one of this machine's own address.
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

    /// The fault of a text that is no address to listen on, in a sentence.
    package static func fault(_ text: String) -> String {
        let port = text.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
        guard !port.isEmpty, port.allSatisfy(\.isNumber) else {
            return
                "--listen wants ADDRESS:PORT, such as 127.0.0.1:8090, [::1]:8090 or 8090, and not '\(text)'."
        }
        return
            "The port \(port) of --listen is out of range: choose one from 1 to 65535, or 0 for a free one."
    }

    /// Whether only programs of this machine reach it.
    public var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// Whether it stands for every address that this machine has, of IPv4 or of IPv6.
    package var isEveryOne: Bool { host == "0.0.0.0" || host == "::" }

    /// The host as it stands in our own URLs: on every address of a family, its loopback. IPv6 is listened to alone.
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
