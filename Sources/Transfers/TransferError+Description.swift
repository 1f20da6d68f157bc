extension TransferError: CustomStringConvertible {
    /// One sentence for people, without secrets; it has a number of libcurl only if nothing better is known. Without
    /// a URL it says that nothing can be fetched.
    public var sentence: String {
        if let proxy { return "could not reach the proxy \(proxy): \(reason)" }
        return url.isEmpty ? "nothing can be fetched: \(reason)" : "could not fetch \(url): \(reason)"
    }

    /// One sentence without secrets.
    public var description: String {
        let number = curlCode.map { " (libcurl \($0))" } ?? ""
        let cause = underlying.map { ": \($0)" } ?? ""
        let place = proxy.map { " at the proxy \($0)" } ?? ""
        return "Transfer of \(url) failed\(place): \(reason)\(number)\(cause)"
    }

    private var reason: String {
        switch code {
        case .invalidURL, .invalidRequest, .unsupportedScheme: requestReason
        case .resolve, .connect, .addressRefused, .tls, .timeout, .stalled, .connectionLost: connectionReason
        case .tooManyRedirects, .redirectRefused: redirectReason
        case .refusedBySink: "the receiver refused the response"
        case .sink: "the receiver could not take the bytes"
        case .unreadableBody: "the file to send could not be read"
        case .cancelled: "it was cancelled"
        case .stopped: "transfers were stopped"
        case .http(let status): "the server answered with status \(status)"
        case .other: "unexpected failure" + (curlCode.map { " (error \($0) of libcurl)" } ?? "")
        default: responseReason
        }
    }

    private var requestReason: String {
        switch code {
        case .invalidURL: "its host or port is not a valid one"
        case .unsupportedScheme: "only http and https are allowed"
        default: "a header field, cookie or range cannot be sent"
        }
    }

    private var connectionReason: String {
        switch code {
        case .resolve where proxy != nil: "its name has no address"
        case .resolve: "the host's name has no address"
        case .connect: "no connection could be made"
        case .addressRefused:
            "its host is this server itself, or in a private network that a stream must not name"
        case .tls where isUntrusted: "this machine does not trust the server's certificate"
        case .tls: "the secure connection could not be made"
        case .timeout: "no connection was made in time"
        case .stalled: "the server sent too little for too long"
        default: "the connection was lost"
        }
    }

    private var redirectReason: String {
        if case .tooManyRedirects(let limit) = code { return "more than \(limit) redirects" }
        return "it was redirected to a URL that is not allowed"
    }

    private var responseReason: String {
        switch code {
        case .tooLarge(let limit): "the body is longer than \(limit) bytes"
        case .truncated(let expected?, let received): "the body ended after \(received) of \(expected) bytes"
        case .truncated(nil, let received): "the body was cut after \(received) bytes"
        case .lengthMismatch(let expected, let received): "the range has \(received) bytes, not \(expected)"
        case .badContentLength: "Content-Length is not one number"
        case .wrongContentRange: "Content-Range is not the range asked for"
        case .contentEncoding: "the content coding cannot be decoded"
        case .decompressionRatio: "the body unpacks to more than a hundred times its size"
        default: "the response is not valid HTTP"
        }
    }
}
