public import HTTPTypes

/// A response. The kind of its body decides its Content-Length or Transfer-Encoding.
public struct Response: Sendable {
    /// The status, 200 to 599; other values are sent as 500.
    public var status: HTTPResponse.Status
    /// Header fields. Content-Length and Transfer-Encoding are made from the body and ignored here, with one
    /// exception: a 304 takes Content-Length from here, because it has no body to measure.
    public var headers: HTTPFields
    /// The body; not sent to a HEAD request, which gets the header fields it would have.
    public var body: ResponseBody

    /// A response of these three parts.
    public init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// The source of a response's bytes.
public enum ResponseBody: Sendable {
    /// No bytes.
    case none
    /// These bytes.
    case bytes([UInt8])
    /// A range of a mapped file, within `0..<size`. If the file is truncated while it is sent, the connection ends.
    case file(MappedFile, Range<UInt64>)
    /// Bytes from a source, read while the client receives them. Without a length the body is sent in chunks (RFC
    /// 9112 §7.1), or to an HTTP/1.0 client until the connection closes.
    case stream(length: UInt64?, any BodySource)
}

extension Response {
    /// A response of plain bytes as it goes over the wire (RFC 9112 §4) at `date`, for a connection that ends with it.
    func lastOnItsConnection(at date: HTTPDate) -> [UInt8] {
        guard case .bytes(let content) = body else { return [] }
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\nDate: \(date.fieldValue)\r\n"
        let own = headers.filter { !$0.name.isFraming && $0.name != .connection && $0.name != .date }
        for field in own + HTTPFields.common.filter({ !headers.contains($0.name) }) {
            text += "\(field.name.rawName): \(field.value)\r\n"
        }
        text += "Content-Length: \(content.count)\r\nConnection: close\r\n\r\n"
        return Array(text.utf8) + content
    }
}

extension HTTPField.Name {
    /// Whether the server computes the field from the body of a response.
    var isFraming: Bool { self == .contentLength || self == .transferEncoding }
}

extension HTTPFields {
    /// Fields that every response carries unless it sets them itself. libmicrohttpd adds `Date`; there is
    /// no `Server`.
    static let common: HTTPFields = [.xContentTypeOptions: "nosniff"]
}
