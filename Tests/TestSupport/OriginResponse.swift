/// The answer of an origin to one request under the faults in force. It does no input or output.
struct OriginResponse {
    enum End { case keep, close, reset }

    var status = 200
    var headers: [String] = []
    var body: [UInt8] = []
    var contentLength: String?
    var isChunked = false
    var end = End.keep
    var raw: [UInt8]?
    /// How many body bytes are really sent.
    var sent: Int?
    var stallAfter: Int?
    var bytesPerSecond: Int?

    init(_ request: OriginRequest, _ resource: OriginResource?, _ faults: [OriginFault], serial: Int) {
        if !OriginResponse.isPermitted(request, faults) {
            status = 403
        } else if let resource {
            var resource = resource
            for fault in faults { OriginResponse.change(&resource, by: fault, request, serial: serial) }
            serve(
                request, resource, honorsRange: !faults.contains(.ignoreRange),
                honorsIfRange: !faults.contains(.ignoreIfRange))
        } else {
            status = 404
        }
        contentLength = contentLength ?? String(body.count)
        for fault in faults { apply(fault) }
        if request.method == "HEAD" { sent = 0 }
        if status == 304 || status == 204 { contentLength = nil }
    }

    private static func isPermitted(_ request: OriginRequest, _ faults: [OriginFault]) -> Bool {
        faults.allSatisfy { fault in
            switch fault {
            case .require(let header, let value): request.header(header) == value
            case .requireCookie(let cookie):
                (request.header("Cookie") ?? "").split(separator: ";").contains {
                    $0.drop { $0 == " " } == cookie
                }
            default: true
            }
        }
    }

    private static func change(
        _ resource: inout OriginResource, by fault: OriginFault, _ request: OriginRequest, serial: Int
    ) {
        switch fault {
        case .noValidators: (resource.etag, resource.lastModified) = (nil, nil)
        case .changingETag: resource.etag = "\"\(serial)\""
        case .gzip: resource.bytes = Gzip.compress(resource.bytes)
        case .cached(let text) where request.header("Cache-Control") != "no-cache":
            resource = OriginResource(bytes: Array(text.utf8), contentType: resource.contentType)
        default: break
        }
    }

    private mutating func serve(
        _ request: OriginRequest, _ resource: OriginResource, honorsRange: Bool, honorsIfRange: Bool
    ) {
        headers = ["Content-Type: \(resource.contentType)"]
        if let etag = resource.etag { headers.append("ETag: \(etag)") }
        if let date = resource.lastModified { headers.append("Last-Modified: \(date)") }
        if honorsRange { headers.append("Accept-Ranges: bytes") }
        body = resource.bytes
        let validators = [resource.etag, resource.lastModified].compactMap(\.self)
        if let known = request.header("If-None-Match"), known == resource.etag {
            (status, body) = (304, [])
            return
        }
        if honorsIfRange, let condition = request.header("If-Range"), !validators.contains(condition) {
            return
        }
        if honorsRange, let range = request.header("Range") { serveRange(range) }
    }

    private mutating func serveRange(_ value: String) {
        guard value.hasPrefix("bytes=") else { return }
        let ends = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return }
        let total = body.count
        var first = Int(ends[0]) ?? 0
        var last = min(Int(ends[1]) ?? total - 1, total - 1)
        if ends[0].isEmpty { (first, last) = (max(0, total - (Int(ends[1]) ?? 0)), total - 1) }
        guard first <= last else {
            (status, body) = (416, [])
            headers.append("Content-Range: bytes */\(total)")
            return
        }
        status = 206
        headers.append("Content-Range: bytes \(first)-\(last)/\(total)")
        body = Array(body[first...last])
    }

    private mutating func apply(_ fault: OriginFault) {
        switch fault {
        case .status(let code, let lines, let text):
            (status, headers, body, contentLength) = (code, lines, Array(text.utf8), String(text.utf8.count))
        case .redirect(let target, let code):
            (status, headers, body, contentLength) = (code, ["Location: \(target)"], [], "0")
        case .raw(let text): (raw, end) = (Array(text.utf8), .close)
        case .stall(let count): stallAfter = count
        case .rate(let rate): bytesPerSecond = rate
        case .truncate(let count): (sent, end) = (count, .close)
        case .reset(let count): (sent, end) = (count, .reset)
        case .contentLength(let value): (contentLength, end) = (value, .close)
        case .contentRange(let value):
            headers.removeAll { $0.hasPrefix("Content-Range") }
            headers.append("Content-Range: \(value)")
        case .chunked: (isChunked, contentLength) = (true, nil)
        case .closeDelimited: (contentLength, end) = (nil, .close)
        case .gzip: headers.append("Content-Encoding: gzip")
        case .header(let line): headers.append(line)
        default: break
        }
    }

    /// The status line and header lines.
    var headText: String {
        var lines = ["HTTP/1.1 \(status) Status"] + headers
        if let contentLength { lines.append("Content-Length: \(contentLength)") }
        if isChunked { lines.append("Transfer-Encoding: chunked") }
        if end != .keep { lines.append("Connection: close") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The body, truncated by a fault if there is one.
    var bodyBytes: [UInt8] {
        let kept = Array(body.prefix(sent ?? body.count))
        guard isChunked else { return kept }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: kept.count, by: 8192) {
            let chunk = kept[start..<min(start + 8192, kept.count)]
            bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [0x0D, 0x0A]
        }
        return sent == nil ? bytes + Array("0\r\n\r\n".utf8) : bytes
    }
}
