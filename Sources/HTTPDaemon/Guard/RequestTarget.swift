internal import ASCII

/// The target of a request (RFC 9112 §3.2) in origin, absolute or asterisk form.
struct RequestTarget: Equatable {
    /// The authority of an absolute-form target.
    let authority: String?
    /// Starts with `/`, or is `*`.
    let path: String
    let query: String?

    /// Reads a target; `nil` for other texts, and for bytes that no URI has: controls, blanks, `#`, non-ASCII.
    init?(_ bytes: [UInt8], isOptions: Bool) {
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else { return nil }
        if bytes.first == UInt8(ascii: "/") {
            self.init(authority: nil, rest: bytes[...])
        } else if bytes == [UInt8(ascii: "*")], isOptions {
            self.init(authority: nil, rest: bytes[...])
        } else {
            self.init(absolute: bytes, isOptions: isOptions)
        }
    }

    private init?(absolute bytes: [UInt8], isOptions: Bool) {
        let scheme = Array("http://".utf8)
        guard bytes.prefix(scheme.count).map(\.lowercasedASCII) == scheme else {
            return nil
        }
        let afterScheme = bytes[scheme.count...]
        let end =
            afterScheme.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? bytes.endIndex
        let authority = afterScheme[..<end]
        guard Authority(authority) != nil else { return nil }
        let rest = bytes[end...]
        // RFC 9112 §3.2.4: without a path, OPTIONS is about the server.
        let root: [UInt8] = rest.isEmpty && isOptions ? [UInt8(ascii: "*")] : [UInt8(ascii: "/")]
        self.init(
            authority: String(decoding: authority, as: UTF8.self),
            rest: rest.first == UInt8(ascii: "/") ? rest : (root + rest)[...])
    }

    private init(authority: String?, rest: ArraySlice<UInt8>) {
        self.authority = authority
        let mark = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        path = String(decoding: rest[..<mark], as: UTF8.self)
        query = mark == rest.endIndex ? nil : String(decoding: rest[(mark + 1)...], as: UTF8.self)
    }
}
