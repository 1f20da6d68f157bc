import CCurl
import Glibc

/// One request from its first hop to its end. After it is posted to a loop's mailbox, only that loop's thread uses it.
/// Therefore it may be Sendable.
final class Transfer: @unchecked Sendable {
    enum Taken { case taken, paused, failed }

    struct Failure {
        var code: TransferError.Code
        var underlying: (any Error)?
    }

    let request: TransferRequest
    let sink: any TransferSink
    /// The host the queue counts this transfer for.
    let queueHost: String
    /// Whose rate limits it keeps to.
    var payer: RatePayer { RatePayer(host: queueHost, group: request.rateGroup) }

    /// Whether its task was cancelled before it was posted.
    var isCancelled = false
    private var completion: ((Result<TransferResult, TransferError>) -> Void)?

    // The loop's thread.
    var url: TransferURL
    var method: TransferRequest.Method
    var hops = 0
    private(set) var visited: [String] = []
    var handle: EasyHandle?
    var policy = AddressPolicy(allowsPrivateAddresses: false, refusedLocalPorts: [])
    var rateLimiter: RateLimiter?
    private(set) var response: TransferResponse?
    private(set) var redirect: Redirect?
    private(set) var failure: Failure?
    private(set) var bytesReceived: UInt64 = 0
    private var head = ResponseHead()
    private var discardedBytes = 0
    /// The file that it sends.
    private var upload: UploadFile?

    init(
        _ request: TransferRequest, url: TransferURL, sink: any TransferSink,
        completion: @escaping (Result<TransferResult, TransferError>) -> Void
    ) {
        self.request = request
        self.url = url
        self.sink = sink
        self.completion = completion
        method = request.method
        queueHost = url.origin
    }

    var isFinished: Bool { completion == nil }

    /// Whether it begins before others and is exempt from rate limits.
    var isUrgent: Bool { request.priority == .high || request.control?.isUrgent == true }

    /// Whether its reading is paused.
    var isHeld: Bool { request.control?.isPaused == true }

    /// Tells the caller the result, once.
    func finish(_ result: Result<TransferResult, TransferError>) {
        let tell = completion
        completion = nil
        request.control?.drop(self)
        tell?(result)
    }

    /// - Parameter proxy: the proxy if the proxy could not be reached.
    func finish(
        _ code: TransferError.Code, underlying: (any Error)? = nil, curlCode: Int? = nil, proxy: String? = nil
    ) {
        var error = TransferError(
            code, url: url.redacted, underlying: underlying, curlCode: curlCode,
            retryAfter: response?.retryAfter)
        error.proxy = proxy.map(TransferURL.redactedProxy)
        finish(.failure(error))
    }

    /// Goes on with the next hop of a redirect.
    func follow(_ redirect: Redirect) {
        url = redirect.url
        visited.append(url.text)
        method = redirect.method
        hops += 1
        self.redirect = nil
        response = nil
        head = ResponseHead()
        discardedBytes = 0
    }
}

// MARK: - Sending

extension Transfer {
    /// Opens the file to send; an error ends the transfer.
    func openUpload(_ path: String, _ range: Range<UInt64>) {
        upload = UploadFile(path, range)
        if upload == nil { failure = Failure(code: .unreadableBody) }
    }

    /// Gives the next bytes of the body; `nil` ends the transfer.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = unsafe upload?.read(into: buffer)
        if count == nil { failure = Failure(code: .unreadableBody) }
        return count
    }

    /// Rewinds the body to an offset, because libcurl sends it again.
    func rewind(to offset: UInt64) -> Bool { upload?.rewind(to: offset) ?? false }
}

// MARK: - Callbacks of libcurl

extension Transfer {
    /// Whether a socket may be opened to an address.
    func allowsConnection(to socketAddress: [UInt8]) -> Bool {
        guard request.proxy == nil else { return true }
        guard let address = IPAddress(socketAddress: socketAddress) else { return false }
        return judge(address, port: IPAddress.port(socketAddress: socketAddress))
    }

    /// Whether the request may be sent on a connection: an earlier transfer with more rights may have opened it.
    func allowsRequest(on address: String, port: UInt16) -> Bool {
        guard request.proxy == nil else { return true }
        return IPAddress(address).map { judge($0, port: port) } ?? false
    }

    /// Whether a host that is written as an address may be requested through the proxy. The connection itself goes to
    /// the proxy's address, which is not checked.
    var allowsProxiedHost: Bool {
        guard request.proxy != nil, let address = IPAddress(url.host) else { return true }
        return judge(address, port: url.port)
    }

    private func judge(_ address: IPAddress, port: UInt16) -> Bool {
        let isAllowed = policy.allows(address, port: port)
        if !isAllowed { failure = Failure(code: .addressRefused) }
        return isAllowed
    }

    /// Takes a header line, or all lines that came while the transfer was paused; false ends the transfer.
    func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = unsafe [UInt8](bytes)[...]
        while let end = rest.firstIndex(of: 0x0A) {
            guard receiveHeader(line: rest[...end]) else { return false }
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty || receiveHeader(line: rest)
    }

    private func receiveHeader(line: ArraySlice<UInt8>) -> Bool {
        guard head.take(line) else { return true }
        // An answer clears the error of a refused address: the connection to a second address may have worked.
        failure = nil
        guard let response = head.response(finalURL: url.text, isHead: method == .head, now: time(nil)) else {
            failure = Failure(code: .invalidResponse)
            return false
        }
        self.response = response
        do throws(TransferError.Code) {
            redirect = try Redirect(response, from: url, method: method, hops: hops, request: request)
        } catch {
            failure = Failure(code: error)
            return false
        }
        return redirect != nil || begin(response)
    }

    private func begin(_ response: TransferResponse) -> Bool {
        if let code = ResponseCheck.refusal(of: response, for: request) {
            failure = Failure(code: code)
        } else if case .refuse(let error) = sink.begin(response) {
            failure = Failure(code: .refusedBySink, underlying: error)
        }
        return failure == nil
    }

    /// Takes body bytes, or lets them wait when a rate limit is reached.
    func receive(_ bytes: RawSpan) -> Taken {
        guard redirect == nil else { return discard(bytes.byteCount) }
        // The rest of a refused answer may also come here, if it was kept during a pause.
        guard let response, failure == nil else {
            failure = failure ?? Failure(code: .invalidResponse)
            return .failed
        }
        if isHeld, response.contentEncoding == nil { return .paused }
        if let rateLimiter, !isUrgent,
            !rateLimiter.mayReceive(self, isEncoded: response.contentEncoding != nil)
        {
            return .paused
        }
        rateLimiter?.take(bytes.byteCount, self)
        bytesReceived += UInt64(bytes.byteCount)
        if let code = excess(response) {
            failure = Failure(code: code)
            return .failed
        }
        do {
            try sink.receive(bytes)
            return .taken
        } catch {
            failure = Failure(code: .sink, underlying: error)
            return .failed
        }
    }

    /// The body of a redirect is read, so that the connection can be reused, unless it is long.
    private func discard(_ count: Int) -> Taken {
        discardedBytes += count
        return discardedBytes <= 64 << 10 ? .taken : .failed
    }

    private func excess(_ response: TransferResponse) -> TransferError.Code? {
        if let limit = request.maximumBodyBytes, bytesReceived > limit { return .tooLarge(limit: limit) }
        if response.contentEncoding != nil, bytesReceived > 1_000_000, let handle,
            bytesReceived / 100 > handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
        {
            return .decompressionRatio
        }
        return nil
    }
}
