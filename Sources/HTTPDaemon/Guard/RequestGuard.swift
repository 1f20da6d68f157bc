internal import ASCII
internal import HTTPTypes

/// A header section as received, before any check.
package struct RawHead {
    let method: String
    let target: [UInt8]
    /// The minor version of HTTP/1.
    let minorVersion: UInt8
    /// See ``FieldLines``.
    let fields: [UInt8]
    /// How many field lines the library has found in them; `nil` when it was not asked.
    let lineCount: Int?

    package init(
        method: String, target: [UInt8], minorVersion: UInt8, fields: [UInt8], lineCount: Int? = nil
    ) {
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
        self.fields = fields
        self.lineCount = lineCount
    }

    /// Whether the library has found the same number of lines. If the client sends NULs in places where the library
    /// writes them at the ends of lines, more lines are visible than the library has found.
    func has(_ lines: FieldLines) -> Bool { lineCount == nil || lineCount == lines.count }
}

/// The front door: the one place that decides which requests are HTTP (RFC 9110, RFC 9112). A request that could be
/// understood in two ways is refused.
package struct RequestGuard {
    let bodyLimit: Int

    package init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// - Parameter known: the header section of the connection's last request.
    package func admit(
        _ head: RawHead, peer: String, known: AdmittedFields? = nil
    ) throws(Refusal) -> Request {
        guard let method = HTTPRequest.Method(head.method) else {
            throw .malformed("The method is not a token.")
        }
        guard method != .connect else {
            throw Refusal(status: .notImplemented, detail: "This server is not a proxy.")
        }
        guard let target = RequestTarget(head.target, isOptions: method == .options) else {
            throw .malformed("The request target is not valid.")
        }
        let fields = if let known, known.covers(head) { known } else { try admitFields(of: head) }
        try checkChunks(of: fields, isRead: method == .get || method == .head)
        return Request(
            method: method, path: target.path, query: target.query,
            authority: target.authority ?? fields.host,
            peer: peer, fields: fields)
    }

    private func admitFields(of head: RawHead) throws(Refusal) -> AdmittedFields {
        guard let lines = FieldLines(head.fields), head.has(lines) else {
            throw .malformed("A header field line is not valid.")
        }
        let host = try host(in: lines, isRequired: head.minorVersion > 0)
        let isTooLong = try checkFraming(of: lines, minorVersion: head.minorVersion)
        return AdmittedFields(lines, host: host, isTooLong: isTooLong)
    }

    /// RFC 9112 §3.2: exactly one valid Host, which HTTP/1.0 may do without.
    private func host(in fields: FieldLines, isRequired: Bool) throws(Refusal) -> String? {
        let hosts = fields.values(of: "host")
        guard hosts.count <= 1 else { throw .malformed("There is more than one Host.") }
        guard let host = hosts.first else {
            if isRequired { throw .malformed("There is no Host.") }
            return nil
        }
        guard Authority(host.utf8) != nil else { throw .malformed("The Host is not valid.") }
        return host
    }

    /// Checks that the length is given once and in one way (RFC 9112 §6).
    ///
    /// - Returns: whether the content is so long that it is not read.
    private func checkFraming(of fields: FieldLines, minorVersion: UInt8) throws(Refusal) -> Bool {
        let lengths = fields.values(of: "content-length")
        let codings = fields.values(of: "transfer-encoding")
        guard lengths.isEmpty || codings.isEmpty, lengths.count <= 1 else {
            throw .malformed("The length of the content is given twice.")
        }
        if let length = lengths.first { return try isOverLimit(length, in: fields) }
        guard !codings.isEmpty else { return false }
        guard minorVersion > 0 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding.") }
        try checkCodings(codings)
        return false
    }

    /// Checks the transfer codings (RFC 9112 §6.3): unless `chunked` is the last one, the end of the content is
    /// unknown. The library sees no coding if an empty element is beside it.
    private func checkCodings(_ lines: [String]) throws(Refusal) {
        let codings = lines.joined(separator: ",").lowercased().utf8
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { String(decoding: $0.trimmingBlanks(), as: UTF8.self) }
        let others = codings.dropLast()
        guard codings.last == "chunked", others.allSatisfy({ !["", "chunked"].contains($0) }) else {
            throw .malformed("The Transfer-Encoding does not end in chunked, once.")
        }
        guard others.isEmpty else {
            throw Refusal(status: .notImplemented, detail: "The only transfer coding understood is chunked.")
        }
    }

    /// Chunks are accepted only for methods whose content has a meaning (RFC 9110 §9.3.1), and only if the library
    /// finds them.
    private func checkChunks(of fields: AdmittedFields, isRead: Bool) throws(Refusal) {
        guard fields.isChunked else { return }
        guard !fields.lines.hasTrailingBlanks("transfer-encoding") else {
            throw .malformed("Blanks follow the Transfer-Encoding.")
        }
        guard !isRead else { throw .malformed("This method has no content in chunks.") }
    }

    /// Whether content is over the limit. Content that is a little too long is read and dropped: a client that still
    /// sends would lose the refusal to a reset of the connection (RFC 9112 §9.6). A client that asks first whether to
    /// send gets the refusal at once (RFC 9110 §10.1.1).
    private func isOverLimit(_ text: String, in fields: FieldLines) throws(Refusal) -> Bool {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
            throw .malformed("The Content-Length is not a number.")
        }
        let tolerance = fields.count(of: "expect") > 0 ? 0 : bodyLimit
        return Int(text).map { $0 - tolerance > bodyLimit } ?? true
    }
}

extension Refusal: Error {
    static func malformed(_ detail: String) -> Refusal { Refusal(status: .badRequest, detail: detail) }

    static let contentTooLarge = Refusal(status: .contentTooLarge, detail: "The content is too long.")
    static let targetTooLong = Refusal(status: .uriTooLong, detail: "The request target is too long.")
    static let tooSlow = Refusal(status: .requestTimeout, detail: "The request took too long to arrive.")
    static let headTooLarge = Refusal(
        status: .requestHeaderFieldsTooLarge, detail: "The header section is too long.")
}
