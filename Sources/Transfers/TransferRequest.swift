public import HTTPTypes

/// A request to an origin, and the limits within which its answer is taken.
public struct TransferRequest: Sendable {
    /// The method of a request.
    public enum Method: Sendable, Hashable {
        /// `GET`.
        case get
        /// `HEAD`: the response has no body.
        case head
        /// `POST` with this body, for license servers; as `application/octet-stream` unless a field says otherwise.
        case post(body: [UInt8])
        /// `PATCH` with this body (RFC 5789), for partial changes.
        case patch(body: [UInt8])
        /// `PUT` of this content.
        case put(UploadBody)
        /// `DELETE`.
        case delete
        /// `OPTIONS`, such as a browser's preflight request.
        case options
    }

    /// The content codings a request asks for.
    public enum ContentCoding: Sendable, Hashable {
        /// `Accept-Encoding: identity`, for segments and keys.
        case identity
        /// `Accept-Encoding: gzip`, for playlists and subtitles.
        case gzip
    }

    /// The order in which waiting transfers of one host begin.
    public enum Priority: Sendable, Hashable {
        /// In the order of arrival.
        case normal
        /// Before every waiting transfer of normal priority: for units that a player waits for.
        case high
    }

    /// An absolute `http` or `https` URL. Spaces and non-ASCII characters of the path are percent-encoded.
    public var url: String
    /// The method.
    public var method: Method
    /// Header fields beside those of the other properties. A redirect to another origin repeats only those that can't
    /// identify anybody (`Accept`, `Accept-Language`, `Cache-Control`, `Referer`).
    public var headerFields = HTTPFields()
    /// Header fields for a redirect to another origin than that of `url`, by its address, beside those that can't
    /// identify anybody.
    public var fieldsElsewhere: (@Sendable (_ url: String) -> HTTPFields)?
    /// The bytes asked for (RFC 9110, 14.2). A 206 that carries other bytes is refused before its first byte.
    public var range: TransferRange?
    /// The validator for `If-Range` (RFC 9110, 13.1.5): a strong entity tag with its quotes, or an HTTP date.
    public var ifRange: String?
    /// Cookies as `name=value`, sent to the origin of `url` only.
    public var cookies: [String] = []
    /// Cookies that several transfers read and write.
    public var cookieJar: CookieJar?
    /// The `User-Agent`; the loop's when nil.
    public var userAgent: String?
    /// A proxy's URL. Without one no proxy is used, even if the environment names one.
    public var proxy: String?
    /// A PEM file of trusted certificates in place of the system's.
    public var certificateAuthorityFile: String?
    /// The group that it belongs to, whose rate may be limited (`RateLimits.groups`).
    public var rateGroup: String?
    /// The longest wait for name, connection and TLS handshake.
    public var connectTimeout: Duration = .seconds(10)
    /// A transfer that stays below `stallRate` for this long fails as `stalled`. Whole seconds, 1 or more.
    public var stallTimeout: Duration = .seconds(15)
    /// Bytes a second below which a transfer counts as stalled.
    public var stallRate: UInt64 = 1_000
    /// The longest body in decoded bytes; nil means no limit (32 MiB for `TransferLoop.fetch`).
    public var maximumBodyBytes: UInt64?
    /// The content coding asked for.
    public var acceptedCoding: ContentCoding = .identity
    /// How many redirects are followed.
    public var maximumRedirects = 5
    /// Whether a redirect may lead from `https` to `http`.
    public var allowsInsecureRedirects = false
    /// Whether loopback, link-local and private addresses are permitted: true only if the user's URL is itself of
    /// that class.
    public var allowsPrivateAddresses = false
    /// Whether it has a connection of its own, for an origin that sends more bytes than it announces.
    public var hasOwnConnection = false
    /// Whether this request passes on the request of another client, which gets the answer as it is: a redirect is a
    /// result, and a 206 may carry any bytes.
    public var isPassedOn = false
    /// Whether a status of 400 or more is an error, not a result.
    public var failsOnHTTPError = false
    /// The precedence among waiting transfers.
    public var priority: Priority = .normal
    /// The control with which the transfer can be paused, or made urgent.
    public var control: TransferControl?

    /// A request with the default limits.
    public init(url: String, method: Method = .get) {
        self.url = url
        self.method = method
    }

    /// Refuses a request with an invalid header field, or without anything to fetch.
    func validate() throws(TransferError.Code) {
        let texts = [ifRange, userAgent, proxy, certificateAuthorityFile].compactMap(\.self) + cookies
        let isClean = texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
        guard isClean, range == nil || range?.fieldValue != nil else { throw .invalidRequest }
    }
}

extension TransferRequest {
    /// Whether a request for a URL is possible: http or https, a host, and a valid port.
    public static func mayBeMade(for url: String) -> Bool {
        do throws(TransferError.Code) {
            _ = try TransferURL(url)
            return true
        } catch {
            // Without libcurl a URL can't be judged; the request itself reports that.
            return error == .other
        }
    }
}

/// Bytes of a resource: `length` of them from `offset`, or all that follow.
public struct TransferRange: Sendable, Hashable {
    /// The first byte's position.
    public var offset: UInt64
    /// How many bytes, 1 or more; nil means to the end.
    public var length: UInt64?

    /// A range; a length of 0 or an end beyond 2^64 makes the request fail as `invalidRequest`.
    public init(offset: UInt64, length: UInt64? = nil) {
        self.offset = offset
        self.length = length
    }

    /// The value of a `Range` field, or nil when the range names no byte.
    var fieldValue: String? {
        guard let length else { return "bytes=\(offset)-" }
        let (last, overflow) = offset.addingReportingOverflow(length &- 1)
        return length == 0 || overflow ? nil : "bytes=\(offset)-\(last)"
    }
}
