import HTTPTypes

/// Checks the header section of a response before its first body byte.
enum ResponseCheck {
    /// The error for a response that is not acceptable for this request; nil if it is.
    static func refusal(of response: TransferResponse, for request: TransferRequest) -> TransferError.Code? {
        if !hasUsableLength(response) { return .badContentLength }
        if request.failsOnHTTPError, response.status >= 400 { return .http(status: response.status) }
        if let coding = response.contentEncoding, request.method != .head {
            guard ["gzip", "x-gzip", "deflate"].contains(coding), response.status != 206 else {
                return .contentEncoding
            }
        }
        if response.status == 206, !request.isPassedOn {
            guard answersRange(response, request.range) else { return .wrongContentRange }
            if let length = response.contentLength, let expected = response.contentRange?.length,
                length != expected
            {
                return .lengthMismatch(expected: expected, received: length)
            }
        }
        if let limit = request.maximumBodyBytes, response.contentEncoding == nil, request.method != .head,
            let length = response.contentLength, length > limit
        {
            return .tooLarge(limit: limit)
        }
        return nil
    }

    /// libcurl reads "12x" as 12 and the last of two lengths; both are refused (RFC 9112, 6.3).
    private static func hasUsableLength(_ response: TransferResponse) -> Bool {
        let values = response.headerFields[values: .contentLength]
        return values.isEmpty || (values.count == 1 && UInt64(digits: values[0]) != nil)
    }

    /// Whether a 206 has the requested bytes, or as many of them as the resource has. More bytes are accepted, since
    /// some origins send the resource to its end. Some answer with 206 without a requested range; then it must be the
    /// whole resource.
    private static func answersRange(_ response: TransferResponse, _ range: TransferRange?) -> Bool {
        guard let contentRange = response.contentRange, let positions = contentRange.positions,
            positions.lowerBound == range?.offset ?? 0
        else { return false }
        let lastOfResource = contentRange.total.map { $0 - 1 }
        guard let range, let length = range.length else {
            return lastOfResource.map { positions.upperBound == $0 } ?? (range != nil)
        }
        let last = range.offset + (length - 1)
        return positions.upperBound >= min(last, lastOfResource ?? last)
    }
}
