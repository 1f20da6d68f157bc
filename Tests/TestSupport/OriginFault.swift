/// One way an origin departs from plain correct service. Faults of one path add up.
public enum OriginFault: Sendable, Hashable {
    /// Answer with this status, these header lines (`Name: value`) and this body.
    case status(Int, headers: [String] = [], body: String = "")
    /// Answer with these bytes and nothing else, then close.
    case raw(String)
    /// Wait this many milliseconds before the header.
    case delay(milliseconds: UInt32)
    /// Wait before the header until `OriginServer.release`.
    case holdHeader
    /// Wait after this many body bytes until `OriginServer.release`.
    case stall(after: Int)
    /// Send at most this many bytes a second.
    case rate(Int)
    /// Close after this many body bytes.
    case truncate(after: Int)
    /// Reset the connection after this many body bytes.
    case reset(after: Int)
    /// Claim this value in place of the true `Content-Length`.
    case contentLength(String)
    /// Claim this `Content-Range` in place of the true one.
    case contentRange(String)
    /// Answer 200 with everything, whatever range is asked for.
    case ignoreRange
    /// Answer a range whatever `If-Range` says.
    case ignoreIfRange
    /// Leave `Content-Length` out and chunk the body.
    case chunked
    /// Leave `Content-Length` out and close after the body.
    case closeDelimited
    /// Redirect to this `Location`.
    case redirect(to: String, status: Int = 302)
    /// Compress the body with gzip, asked or not.
    case gzip
    /// Add this header line.
    case header(String)
    /// Leave `ETag` and `Last-Modified` out.
    case noValidators
    /// A new `ETag` with each response.
    case changingETag
    /// Answer 403 unless this header field has this value.
    case require(header: String, value: String)
    /// Something that is no HTTP as the answer to all but the first request of a connection.
    case nonsenseOnReuse
    /// Serve this text, as a cache that is late, unless the request says `Cache-Control: no-cache`.
    case cached(String)
    /// Answer 403 unless this cookie (`name=value`) is sent.
    case requireCookie(String)
}
