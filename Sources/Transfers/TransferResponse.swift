public import HTTPTypes

/// The head of a final response: neither 1xx nor a redirect that was followed.
public struct TransferResponse: Sendable {
    /// The protocol an origin answered with.
    public enum Version: String, Sendable {
        /// HTTP/1.0.
        case http1 = "HTTP/1.0"
        /// HTTP/1.1.
        case http1Dot1 = "HTTP/1.1"
        /// HTTP/2.
        case http2 = "HTTP/2"
    }

    /// The status code, 200...599.
    public var status: Int
    /// The protocol's version.
    public var version: Version
    /// The header fields in the order they came.
    public var headerFields: HTTPFields
    /// The URL that answered, after redirects.
    public var finalURL: String
    /// The addresses that redirects have led to, in order; the last one is `finalURL`.
    public var redirects: [String] = []
    /// `Content-Length`: the length of the content before decoding. libcurl silently truncates a longer body at this
    /// length: an equal length does not prove that a body is complete.
    public var contentLength: UInt64?
    /// Whether the protocol marks the end of the body. If false, the end of the connection marks it, and a truncated
    /// body looks complete: check the container.
    public var lengthIsKnown: Bool
    /// `Content-Range`, when it is there and well-formed.
    public var contentRange: ContentRange?
    /// `Content-Encoding` in lower case; nil when absent or `identity`. The body is handed on decoded.
    public var contentEncoding: String?
    /// Seconds from `Retry-After` (RFC 9110, 10.2.3; a number or a date), limited to 0...3600; nil when absent or
    /// malformed.
    public var retryAfter: Int?

    /// `ETag` as sent, with its quotes and its `W/`.
    public var etag: String? { headerFields[.eTag] }
    /// `Last-Modified` as sent.
    public var lastModified: String? { headerFields[.lastModified] }
    /// `Content-Type` as sent.
    public var contentType: String? { headerFields[.contentType] }
}

/// The figures of a finished transfer.
public struct TransferResult: Sendable {
    /// The response's head.
    public var response: TransferResponse
    /// Decoded body bytes handed to the sink.
    public var bytesReceived: UInt64
    /// Body bytes as sent.
    public var bytesOnWire: UInt64
    /// How long the parts took.
    public var timings: TransferTimings
    /// Whether the transfer used the connection of an earlier one.
    public var connectionReused: Bool
}

/// Durations of a transfer's last hop, each counted from its beginning.
public struct TransferTimings: Sendable, Hashable {
    /// Until the connection was made.
    public var connect: Duration
    /// Until the first byte of the response.
    public var firstByte: Duration
    /// Until the end.
    public var total: Duration
}
