public import HTTPTypes

/// The facts of the bytes behind a URL, and how a request for them is answered.
public struct Representation: Equatable, Sendable {
    /// The size in bytes; without it ranges are ignored.
    public var size: UInt64?
    /// Names these very bytes.
    public var entityTag: EntityTag?
    /// The time at which they last changed; not in the future (RFC 9110 §8.8.2.1).
    public var lastModified: HTTPDate?

    /// A representation with these properties.
    public init(size: UInt64?, entityTag: EntityTag? = nil, lastModified: HTTPDate? = nil) {
        self.size = size
        self.entityTag = entityTag
        self.lastModified = lastModified
    }

    /// Answers a GET or HEAD request: 200, 206, 304, 412 or 416, with the fields each must have
    /// (RFC 9110 §13, §14, §15.4.5).
    ///
    /// `headers` are sent with 200 and 206, and with 304 except for Content-Type; ETag, Last-Modified, Accept-Ranges and
    /// Content-Range are added. `body` makes the bytes of a range; it is called with `nil` for all of them.
    public func response(
        to request: Request, headers: HTTPFields, now: HTTPDate, body: (Range<UInt64>?) -> ResponseBody
    ) -> Response {
        var headers = headers
        addValidators(to: &headers)
        switch Preconditions(request).evaluate(self, now: now) {
        case .proceed:
            return Response(status: .ok, headers: headers, body: body(nil))
        case .partial(let range):
            headers[.contentRange] = ByteRangeHeader.contentRange(range, size: size ?? 0)
            return Response(status: .partialContent, headers: headers, body: body(range))
        case .notModified:
            headers[.contentType] = nil
            headers[.contentLength] = size.map { String($0) }
            return Response(status: .notModified, headers: headers)
        case .failed:
            return Response(problem: .preconditionFailed)
        case .rangeNotSatisfiable:
            var response = Response(problem: .rangeNotSatisfiable)
            response.headers[.contentRange] = ByteRangeHeader.contentRange(unsatisfiedSize: size ?? 0)
            return response
        }
    }

    /// The response to a request without conditions and ranges, which can be prepared.
    public func wholeResponse(headers: HTTPFields, body: ResponseBody) -> Response {
        var headers = headers
        addValidators(to: &headers)
        return Response(status: .ok, headers: headers, body: body)
    }

    private func addValidators(to headers: inout HTTPFields) {
        if let entityTag { headers[.eTag] = entityTag.fieldValue }
        if let lastModified { headers[.lastModified] = lastModified.fieldValue }
        if size != nil { headers[.acceptRanges] = "bytes" }
    }
}

extension Refusal {
    /// The representation does not meet the request's conditions.
    public static let preconditionFailed = Refusal(
        status: .preconditionFailed, detail: "A precondition is not met.")
    /// None of the requested ranges exists.
    public static let rangeNotSatisfiable = Refusal(
        status: .rangeNotSatisfiable, detail: "The range is outside of the content.")
}
