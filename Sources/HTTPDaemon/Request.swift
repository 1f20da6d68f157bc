public import HTTPTypes

/// A request as it passed the front door: exactly one valid Host (HTTP/1.1), a target in origin, absolute or
/// asterisk form, field lines without surprises.
public struct Request: Sendable {
    /// The method, case-sensitive.
    public let method: HTTPRequest.Method
    /// The received path, percent-encoded, without query; it starts with `/`, is `*`, or is empty after the whole
    /// path was removed as a prefix.
    public private(set) var path: String
    /// The part in front of the path that was taken off; empty for a request as it came.
    public private(set) var prefix = ""
    /// The part after the first `?` of the target, percent-encoded.
    public let query: String?
    /// Host and port as the client named them (absolute-form target, else Host); `nil` only with HTTP/1.0.
    public let authority: String?
    /// The address at which the client reaches the paths, such as `https://media.example`, if a proxy in front of the
    /// server changes it; without a slash at the end.
    public private(set) var outerAddress: String?
    /// The client's numeric address without port.
    public let peer: String
    /// The content; at most ``HTTPDaemonConfiguration/bodyLimit`` bytes.
    public internal(set) var body: [UInt8] = []
    let fields: AdmittedFields
    /// Whether its content is announced as so long that it is not read; such a request is refused.
    var isTooLong: Bool { fields.isTooLong }

    /// Whether only the header fields of the response are sent.
    public var isHead: Bool { method == .head }

    /// A copy of the request without the prefix of its path.
    ///
    /// - Parameter prefix: the beginning of the path.
    public func without(prefix: String) -> Request {
        var request = self
        request.prefix += prefix
        request.path.removeFirst(prefix.count)
        return request
    }

    /// A copy of the request with the address at which its client reaches the server.
    public func reached(at outerAddress: String) -> Request {
        var request = self
        request.outerAddress = outerAddress
        return request
    }

    /// The value of a field; several lines are joined by `, ` (RFC 9110 §5.3). `nil` if there is none.
    public func header(_ name: HTTPField.Name) -> String? {
        let values = fields.lines.values(of: name.canonicalName)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The value of each line of a field, in order.
    public func headerValues(_ name: HTTPField.Name) -> [String] {
        fields.lines.values(of: name.canonicalName)
    }

    /// Whether it requests a whole representation in any version: it has neither Range nor any If- field.
    public var isUnconditional: Bool { fields.isUnconditional }

    /// Whether a page in a browser sent it: it has an Origin or Sec-Fetch field.
    public var comesFromPage: Bool { fields.comesFromPage }

    /// Whether the content came in chunks.
    var isChunked: Bool { fields.isChunked }

    /// All field lines in order.
    public var headers: HTTPFields { fields.lines.all }
}
