/// Why a transfer ended without its whole body.
public struct TransferError: Error, Sendable {
    /// The reason.
    public enum Code: Error, Hashable {
        /// The URL cannot be parsed.
        case invalidURL
        /// A header field, range or cookie that cannot be sent.
        case invalidRequest
        /// A URL that is neither `http` nor `https`.
        case unsupportedScheme
        /// No address for the name of the host or proxy.
        case resolve
        /// No connection.
        case connect
        /// An address or port that the policy keeps transfers away from.
        case addressRefused
        /// The TLS handshake or the check of the certificate.
        case tls
        /// No connection within the request's `connectTimeout`.
        case timeout
        /// Slower than the request's `stallRate` for its `stallTimeout`.
        case stalled
        /// The connection ended or failed midway.
        case connectionLost
        /// The answer is not HTTP as RFC 9112 or RFC 9113 have it.
        case invalidResponse
        /// The body is longer than this many bytes.
        case tooLarge(limit: UInt64)
        /// More than this many redirects.
        case tooManyRedirects(limit: Int)
        /// A redirect to another scheme, from `https` to `http`, or to a malformed URL.
        case redirectRefused
        /// The body ended early.
        case truncated(expected: UInt64?, received: UInt64)
        /// The body's length is not that of the range it answers.
        case lengthMismatch(expected: UInt64, received: UInt64)
        /// `Content-Length` is not one number.
        case badContentLength
        /// A 206 whose `Content-Range` is absent, malformed or not the range asked for.
        case wrongContentRange
        /// A content coding that cannot be decoded, or a broken one.
        case contentEncoding
        /// More than 100 decoded bytes for each byte sent, beyond 1 MB.
        case decompressionRatio
        /// The sink refused the response; see `underlying`.
        case refusedBySink
        /// The sink failed to take bytes; see `underlying`.
        case sink
        /// The file to send can't be read, or is shorter than announced.
        case unreadableBody
        /// The task was cancelled.
        case cancelled
        /// The loop was stopped.
        case stopped
        /// A status of 400 or more, when the request asks for an error.
        case http(status: Int)
        /// libcurl failed in a way that has no name here; see `curlCode`.
        case other
    }

    /// The reason.
    public var code: Code
    /// The URL's scheme, host, port and path: never its query, fragment or user.
    public var url: String
    /// The error of the sink, for `refusedBySink` and `sink`.
    public var underlying: (any Error)?
    /// libcurl's number for the failure (`CURLcode`), when there is one.
    public var curlCode: Int?
    /// Seconds from `Retry-After`, for `http(status:)`.
    public var retryAfter: Int?
    /// The host and port of the proxy that could not be reached: then nothing is known of the URL's own host.
    public var proxy: String?

    /// An error of `code` for a URL that has no secrets.
    public init(
        _ code: Code, url: String, underlying: (any Error)? = nil, curlCode: Int? = nil,
        retryAfter: Int? = nil
    ) {
        self.code = code
        self.url = url
        self.underlying = underlying
        self.curlCode = curlCode
        self.retryAfter = retryAfter
    }

    /// Whether the server's certificate is from an unknown authority, or is not the server's own.
    public var isUntrusted: Bool { code == .tls && curlCode == TransferError.certificateRefused }

    /// Whether the same request may succeed a little later.
    public var isRetryable: Bool {
        switch code {
        case .resolve, .connect, .timeout, .stalled, .connectionLost, .truncated, .invalidResponse: true
        case .lengthMismatch, .badContentLength, .wrongContentRange, .contentEncoding: true
        case .tls: curlCode == TransferError.handshakeFailed
        case .http(let status): [408, 425, 429, 500, 502, 503, 504].contains(status)
        default: false
        }
    }

    /// Whether the answer exceeded a size limit.
    public var isOfSize: Bool {
        if case .tooLarge = code { true } else { false }
    }

    /// Whether there were too many redirects.
    public var isOfRedirects: Bool {
        if case .tooManyRedirects = code { true } else { false }
    }
}
