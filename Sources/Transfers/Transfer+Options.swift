import CCurl
import HTTPTypes

extension Transfer {
    /// Whether the current hop goes to the request's own origin.
    private var isAtFirstOrigin: Bool { url.origin == queueHost }

    /// Sets every option of the current hop on a fresh handle.
    func configure(_ handle: EasyHandle, userAgent: String, share: CurlShare?, rate: UInt64?) {
        handle.call(self)
        handle.attach(request.cookieJar?.share ?? share)
        // No file is read: this option makes libcurl use a share's cookies.
        if request.cookieJar != nil { handle.set(CURLOPT_COOKIEFILE, "") }
        setLimits(handle, rate)
        setConnection(handle)
        setMethod(handle)
        handle.set(CURLOPT_URL, url.text)
        handle.set(CURLOPT_USERAGENT, request.userAgent ?? userAgent)
        handle.set(CURLOPT_ACCEPT_ENCODING, request.acceptedCoding == .gzip ? "gzip" : "identity")
        handle.setHeaders(headerLines)
        if isAtFirstOrigin, !request.cookies.isEmpty {
            handle.set(CURLOPT_COOKIE, request.cookies.joined(separator: "; "))
        }
    }

    private func setConnection(_ handle: EasyHandle) {
        handle.set(CURLOPT_NOSIGNAL, 1)
        // Without this option, removing a handle waits for its name resolution, and so does every other transfer.
        handle.set(CURLOPT_QUICK_EXIT, 1)
        handle.set(CURLOPT_NOPROGRESS, 1)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.set(CURLOPT_PROXY, request.proxy ?? "")
        handle.set(CURLOPT_NOPROXY, "")
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        handle.set(
            CURLOPT_HTTP_VERSION, url.isSecure ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
        handle.set(CURLOPT_PIPEWAIT, url.isSecure ? 1 : 0)
        handle.set(CURLOPT_FRESH_CONNECT, request.hasOwnConnection ? 1 : 0)
        handle.set(CURLOPT_FORBID_REUSE, request.hasOwnConnection ? 1 : 0)
        if let file = request.certificateAuthorityFile {
            handle.set(CURLOPT_CAINFO, file)
            // libcurl also uses the system's folder unless this is cleared.
            handle.clear(CURLOPT_CAPATH)
        }
    }

    private func setLimits(_ handle: EasyHandle, _ rate: UInt64?) {
        // Small portions make it possible to keep the rate. The size must not change while libcurl runs.
        handle.set(CURLOPT_BUFFERSIZE, rate.map { Int(min(max($0 / 10, 4 << 10), 64 << 10)) } ?? 512 << 10)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, request.connectTimeout.milliseconds))
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, request.stallTimeout.milliseconds / 1000))
        setStallRate(handle, rate)
    }

    /// A rate limit must not look like a stall: it may be shared by many transfers.
    func setStallRate(_ handle: EasyHandle, _ rate: UInt64?) {
        let stallRate = min(request.stallRate, rate.map { $0 / 256 } ?? request.stallRate)
        handle.set(CURLOPT_LOW_SPEED_LIMIT, Int(clamping: max(stallRate, 1)))
    }

    private func setMethod(_ handle: EasyHandle) {
        switch method {
        case .get: handle.set(CURLOPT_HTTPGET, 1)
        case .head: handle.set(CURLOPT_NOBODY, 1)
        case .post(let body):
            handle.set(CURLOPT_POST, 1)
            handle.setBody(body)
        case .patch(let body):
            handle.set(CURLOPT_POST, 1)
            handle.setBody(body)
            handle.set(CURLOPT_CUSTOMREQUEST, "PATCH")
        case .put(.bytes(let body)):
            handle.set(CURLOPT_POST, 1)
            handle.setBody(body)
            handle.set(CURLOPT_CUSTOMREQUEST, "PUT")
        case .put(.file(let path, let range)):
            handle.set(CURLOPT_UPLOAD, 1)
            handle.set(CURLOPT_INFILESIZE_LARGE, bytes: UInt64(range.count))
            handle.callForBody(self)
            openUpload(path, range)
        case .delete: handle.set(CURLOPT_CUSTOMREQUEST, "DELETE")
        case .options: handle.set(CURLOPT_CUSTOMREQUEST, "OPTIONS")
        }
    }

    private var headerLines: [String] {
        let fields = isAtFirstOrigin ? request.headerFields : Redirect.fields(of: request, at: url.text)
        var lines = fields.map {
            $0.value.isEmpty ? "\($0.name.rawName);" : "\($0.name.rawName): \($0.value)"
        }
        if let range = request.range?.fieldValue { lines.append("Range: \(range)") }
        if request.range != nil, let validator = request.ifRange { lines.append("If-Range: \(validator)") }
        // libcurl would wait for leave to send a long body, and make up a type for an empty one.
        lines.append("Expect:")
        if fields[.contentType] == nil {
            lines.append(method.isEmpty ? "Content-Type:" : "Content-Type: application/octet-stream")
        }
        return lines
    }
}

extension TransferRequest.Method {
    /// Whether it has no body, or one without bytes.
    fileprivate var isEmpty: Bool {
        switch self {
        case .get, .head, .delete, .options: true
        case .post(let body), .patch(let body), .put(.bytes(let body)): body.isEmpty
        case .put(.file(_, let range)): range.isEmpty
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int {
        Int(clamping: components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
