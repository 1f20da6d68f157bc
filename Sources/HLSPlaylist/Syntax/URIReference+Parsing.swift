internal import ASCII

extension URIReference {
    /// The schemes that browsers read leniently.
    static let webSchemes: Set<String> = ["http", "https", "ftp", "file", "ws", "wss"]

    /// The bytes without blanks and controls around, and without tabs and line ends inside.
    static func cleaned(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 > .space }),
            let last = bytes.lastIndex(where: { $0 > .space })
        else { return [] }
        return bytes[first...last].filter { $0 != .tab && $0 != .lineFeed && $0 != .carriageReturn }
    }

    /// A letter, then letters, digits, `+`, `-`, `.`, up to a colon (RFC 3986 §3.1).
    static func takeScheme(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first?.isLetter == true, let colon = rest.firstIndex(of: .colon) else { return nil }
        let isScheme = rest[..<colon].allSatisfy {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == .hyphen || $0 == .dot
        }
        guard isScheme else { return nil }
        defer { rest = rest[(colon + 1)...] }
        return String(decoding: rest[..<colon], as: UTF8.self).lowercased()
    }

    /// Removes a delimiter and the text behind it, and returns that text.
    static func cut(_ rest: inout ArraySlice<UInt8>, at delimiter: UInt8) -> String? {
        guard let index = rest.firstIndex(of: delimiter) else { return nil }
        defer { rest = rest[..<index] }
        return String(decoding: rest[(index + 1)...], as: UTF8.self)
    }
}

extension URIReference {
    /// The host in lowercase, without user information and port; `nil` without an authority.
    public var host: String? {
        guard let authority else { return nil }
        let host = hostAndPort(authority)
        let end =
            host.hasPrefix("[") ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
        return host[..<(end ?? host.endIndex)].lowercased()
    }

    /// The port, when one is written.
    public var port: Int? {
        guard let authority else { return nil }
        let host = hostAndPort(authority)
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return nil }
        return DecimalText.integer(host[host.index(after: colon)...].utf8)
    }

    private func hostAndPort(_ authority: String) -> Substring {
        guard let at = authority.lastIndex(of: "@") else { return authority[...] }
        return authority[authority.index(after: at)...]
    }

    /// The characters after the last dot of the path's last segment, in lowercase; `nil` without a dot.
    public var lastPathExtension: String? {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let text = name[name.index(after: dot)...].lowercased()
        return text.isEmpty ? nil : text
    }

    /// The reference without user information, query and fragment, for logs. Of an opaque reference, such as a
    /// `data:` URI that holds a key, only the scheme.
    public var redacted: String {
        if let scheme, authority == nil, !path.hasPrefix("/") { return scheme + ":…" }
        let host = authority.map { "//" + hostAndPort($0) } ?? ""
        return (scheme.map { $0 + ":" } ?? "") + host + path
    }

    /// A text that may be a URI, without secret parts; unchanged if it is not a URL.
    public static func shown(_ text: String) -> String {
        let reference = URIReference(text)
        guard reference.scheme == nil, reference.authority == nil else { return reference.redacted }
        return String(text.prefix { $0 != "?" && $0 != "#" })
    }

    /// The reference without its fragment, which is not part of a request (RFC 9110 §7.1).
    public var withoutFragment: URIReference {
        var result = self
        result.fragment = nil
        return result
    }

    /// The items of the query, decoded; of two with one name the first.
    public var queryItems: [String: String] {
        guard let query else { return [:] }
        var items: [String: String] = [:]
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = URIEncoding.decode(parts[0])
            if items[name] == nil { items[name] = parts.count > 1 ? URIEncoding.decode(parts[1]) : "" }
        }
        return items
    }
}
