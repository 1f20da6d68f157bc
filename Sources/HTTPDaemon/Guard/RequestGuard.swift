internal import ASCII
internal import HTTPTypes

/// A header section as it came, before anything is believed.
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

    /// Whether the library has found as many lines. Where a client sends the NULs that it leaves at the ends of lines, there
    /// are more to see than it has found.
    func has(_ lines: FieldLines) -> Bool { lineCount == nil || lineCount == lines.count }
}

/// The front door: the one place that decides which requests are HTTP (RFC 9110, RFC 9112). What passes is
/// understood in the same way by everybody; what could be read in two ways does not pass.
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

    /// RFC 9112 §6: one length, said in one way.
    ///
    /// - Returns: whether it is so long that the content is not even read.
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

    /// RFC 9112 §6.3: without chunks at the end, and only there, nobody knows where the content ends. The library sees
    /// none where an empty element stands beside them.
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

    /// Chunks are for methods whose content means something (RFC 9110 §9.3.1), and only where the library finds them.
    private func checkChunks(of fields: AdmittedFields, isRead: Bool) throws(Refusal) {
        guard fields.isChunked else { return }
        guard !fields.lines.hasTrailingBlanks("transfer-encoding") else {
            throw .malformed("Blanks follow the Transfer-Encoding.")
        }
        guard !isRead else { throw .malformed("This method has no content in chunks.") }
    }

    /// Reads and drops content that is not much longer than allowed: a client that still sends would lose the refusal
    /// to a reset of the connection (RFC 9112 §9.6). A client that asks first whether to send gets the refusal at
    /// once (RFC 9110 §10.1.1).
    private func isOverLimit(_ text: String, in fields: FieldLines) throws(Refusal) -> Bool {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
            throw .malformed("The Content-Length is not a number.")
        }
        let limit = fields.count(of: "expect") > 0 ? bodyLimit : 2 * bodyLimit
        return Int(text).map { $0 > limit } ?? true
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
