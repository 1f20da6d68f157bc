import CCurl
import HTTPTypes

/// Collects the header lines of a response until its empty line.
struct ResponseHead {
    private var lines: [[UInt8]] = []
    /// Whether the header section has ended; later lines are trailers, until a new status line.
    private(set) var isComplete = false

    /// Takes one line with its line end; true when it ended the block of a final response.
    mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
        var bytes = line
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        if bytes.starts(with: [0x48, 0x54, 0x54, 0x50, 0x2F]) {
            lines.removeAll(keepingCapacity: true)
            isComplete = false
        }
        guard !isComplete else { return false }
        guard bytes.isEmpty else {
            append(Array(bytes))
            return false
        }
        isComplete = true
        return statusLine.map { $0.status >= 200 } ?? true
    }

    /// An indented line continues the one before (RFC 9112, 5.2).
    private mutating func append(_ bytes: [UInt8]) {
        if let first = bytes.first, first == 0x20 || first == 0x09, lines.count > 1 {
            lines[lines.count - 1] += bytes
        } else {
            lines.append(bytes)
        }
    }

    private var statusLine: (version: TransferResponse.Version, status: Int)? {
        guard let line = lines.first else { return nil }
        let parts = line.split(separator: 0x20, maxSplits: 2)
        guard parts.count >= 2, let status = Int(String(decoding: parts[1], as: UTF8.self)) else {
            return nil
        }
        let version: TransferResponse.Version =
            switch String(decoding: parts[0], as: UTF8.self) {
            case "HTTP/1.0": .http1
            case "HTTP/2": .http2
            default: .http1Dot1
            }
        return (version, status)
    }

    /// The head as a value; nil without a status line.
    func response(finalURL: String, isHead: Bool, now: Int) -> TransferResponse? {
        guard let (version, status) = statusLine else { return nil }
        var fields = HTTPFields()
        for line in lines.dropFirst() { ResponseHead.field(line).map { fields.append($0) } }
        let coding = fields[.contentEncoding]?.lowercased()
        let length = fields[values: .contentLength]
        let isChunked = fields[.transferEncoding] != nil
        let contentLength = length.count == 1 && !isChunked ? UInt64(digits: length[0]) : nil
        let hasNoBody = isHead || status == 204 || status == 304
        return TransferResponse(
            status: status, version: version, headerFields: fields, finalURL: finalURL,
            contentLength: contentLength,
            lengthIsKnown: contentLength != nil || isChunked || version == .http2 || hasNoBody,
            contentRange: fields[.contentRange].flatMap { ContentRange($0) },
            contentEncoding: coding == "identity" ? nil : coding,
            retryAfter: fields[.retryAfter].flatMap { ResponseHead.retryAfter($0, now: now) })
    }

    private static func field(_ line: [UInt8]) -> HTTPField? {
        guard let colon = line.firstIndex(of: 0x3A),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return nil }
        let blank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var value = line[(colon + 1)...].drop(while: blank)
        while let last = value.last, blank(last) { value.removeLast() }
        return HTTPField(name: name, value: String(decoding: value, as: UTF8.self))
    }

    /// Seconds of a `Retry-After`, held in 0...3600.
    static func retryAfter(_ value: String, now: Int) -> Int? {
        if value.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), !value.isEmpty {
            return min(Int(value) ?? 3600, 3600)
        }
        guard value.hasSuffix("GMT"), case let date = unsafe curl_getdate(value, nil), date >= 0 else {
            return nil
        }
        return min(max(date - now, 0), 3600)
    }
}
