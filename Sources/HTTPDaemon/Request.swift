public import HTTPTypes

/// A request as it passed the front door: exactly one valid Host (HTTP/1.1), a target in origin, absolute or
/// asterisk form, field lines without surprises.
public struct Request: Sendable {
    /// The method, case-sensitive.
    public let method: HTTPRequest.Method
    /// The path as it was received, percent-encoded, without query; starts with `/`, is `*`, or empty where
    /// all of it was taken off.
    public private(set) var path: String
    /// The part in front of the path that was taken off; empty for a request as it came.
    public private(set) var prefix = ""
    /// The part after the first `?` of the target, percent-encoded.
    public let query: String?
    /// Host and port as the client named them (absolute-form target, else Host); `nil` only with HTTP/1.0.
    public let authority: String?
    /// The address below which the client reaches the paths, such as `https://media.example`, where a proxy in front of
    /// the server makes it another one than the client's name for it; without a slash at the end.
    public private(set) var outerAddress: String?
    /// The client's numeric address without port.
    public let peer: String
    /// The content; at most ``HTTPDaemonConfiguration/bodyLimit`` bytes.
    public internal(set) var body: [UInt8] = []
    let fields: AdmittedFields
    /// Whether its content is announced as so long that it is not even read; then it is refused.
    var isTooLong: Bool { fields.isTooLong }

    /// Whether only the header fields of the response are sent.
    public var isHead: Bool { method == .head }

    /// A copy of the request without the prefix of its path.
    ///
    /// - Parameter prefix: with which the path starts.
    public func without(prefix: String) -> Request {
        var request = self
        request.prefix += prefix
        request.path.removeFirst(prefix.count)
        return request
    }

    /// A copy of the request from a client that reaches the server below another address.
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

    /// Whether all of a representation is asked for, whatever it is now: neither Range nor any If- field.
    public var isUnconditional: Bool { fields.isUnconditional }

    /// Whether a browser asked for a page: there is an Origin or Sec-Fetch field.
    public var comesFromPage: Bool { fields.comesFromPage }

    /// Whether the content came in chunks.
    var isChunked: Bool { fields.isChunked }

    /// All field lines in order.
    public var headers: HTTPFields { fields.lines.all }
}
