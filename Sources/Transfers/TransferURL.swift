import CCurl

/// An absolute http or https URL, read by libcurl's own parser, so that the checked URL is the one that libcurl uses.
struct TransferURL: Sendable, Hashable {
    let text: String
    let scheme: String
    let host: String
    let port: UInt16

    /// Parses a URL a person or a playlist gave.
    init(_ text: String) throws(TransferError.Code) {
        let parser = try URLParser()
        try parser.set(text)
        try self.init(parser)
    }

    /// Resolves a reference (RFC 3986, 5.2), as a `Location` field holds.
    func resolving(_ reference: String) throws(TransferError.Code) -> TransferURL {
        let parser = try URLParser()
        try parser.set(text)
        try parser.set(reference)
        return try TransferURL(parser)
    }

    private init(_ parser: URLParser) throws(TransferError.Code) {
        guard let scheme = parser.part(CURLUPART_SCHEME)?.lowercased() else { throw .invalidURL }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme }
        guard let text = parser.part(CURLUPART_URL), let host = parser.part(CURLUPART_HOST), !host.isEmpty,
            let port = parser.part(CURLUPART_PORT).flatMap({ UInt16($0) })
        else { throw .invalidURL }
        self.text = text
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
    }

    var isSecure: Bool { scheme == "https" }

    /// Scheme, host and port, for which credentials are valid and connections are shared.
    var origin: String { "\(scheme)://\(host):\(port)" }

    /// The URL without user, query and fragment.
    var redacted: String { TransferURL.redact(text) }

    /// A proxy's address without user; the scheme may be missing in it.
    static func redactedProxy(_ text: String) -> String {
        guard !text.contains("://") else { return redact(text) }
        return String(redact("http://\(text)").dropFirst("http://".count))
    }

    /// Cuts user, query and fragment out of a URL, malformed ones included.
    static func redact(_ text: String) -> String {
        // The text is read byte by byte: for Swift, a mark that is followed by a combining character is another
        // character.
        let kept = Array(text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        guard let schemeEnd = kept.firstRange(of: Array("://".utf8))?.upperBound else {
            return String(String(decoding: kept, as: UTF8.self).prefix(200))
        }
        let authority = kept[schemeEnd...].prefix { $0 != UInt8(ascii: "/") }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else {
            return String(decoding: kept, as: UTF8.self)
        }
        return String(decoding: kept[..<schemeEnd] + kept[(at + 1)...], as: UTF8.self)
    }
}

/// One `CURLU`, freed with the object.
@safe
private final class URLParser {
    private let handle: OpaquePointer

    init() throws(TransferError.Code) {
        guard let handle = unsafe curl_url() else { throw .other }
        unsafe self.handle = handle
    }

    deinit { unsafe curl_url_cleanup(handle) }

    /// Sets the URL, or resolves a reference against the present one.
    func set(_ text: String) throws(TransferError.Code) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .invalidURL }
        let flags = CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE
        guard unsafe curl_url_set(handle, CURLUPART_URL, text, UInt32(flags)) == CURLUE_OK else {
            throw .invalidURL
        }
    }

    func part(_ part: CURLUPart) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        let flags = part == CURLUPART_PORT ? UInt32(CURLU_DEFAULT_PORT) : 0
        guard unsafe ccurl_url_get(handle, part, &value, flags) == CURLUE_OK, let found = unsafe value else {
            return nil
        }
        defer { unsafe curl_free(found) }
        return unsafe String(cString: found)
    }
}
