public import HTTPTypes
public import Locking

/// Answers the requests that passed the front door.
public protocol HTTPResponder: Sendable {
    /// Called on a daemon thread for each request, after its content has arrived; must not block.
    func respond(to request: Request) -> Answer

    /// The response for a request that the daemon itself refuses. Called on a daemon thread; must not block.
    ///
    /// - Parameter request: the received part of the request; `nil` if it was not understood, or did not arrive in
    ///   time.
    func refuse(_ refusal: Refusal, of request: Request?) -> Response
}

/// The decision of a responder.
public enum Answer: Sendable {
    /// A response that was made earlier and is shared by all clients: the fast path. For GET and HEAD.
    case prepared(PreparedResponse)
    /// A response made for this request.
    case response(Response)
    /// A response that takes time: the connection is suspended and uses no thread. If `deadline` passes first, the
    /// work is cancelled and the client gets a 503. A client that leaves is noticed within 3 seconds, and the work is
    /// cancelled; a client that has only closed its sending side gets its answer.
    ///
    /// The work runs on the threads of `pool`, or of a pool that all exchanges share, and may block there.
    case later(deadline: Duration, on: WorkPool? = nil, work: @Sendable (Request) async -> Response)
}

/// A request that the daemon refuses by itself.
public struct Refusal: Equatable, Sendable {
    /// 400, 408, 412, 413, 414, 416, 431, 501 or 503.
    public let status: HTTPResponse.Status
    /// The fault of the request, in one sentence. It quotes nothing of the request.
    public let detail: String

    /// A refusal with `status`, explained by `detail`.
    public init(status: HTTPResponse.Status, detail: String) {
        self.status = status
        self.detail = detail
    }
}

extension HTTPResponder {
    /// A problem document (RFC 9457) about the fault.
    public func refuse(_ refusal: Refusal, of request: Request?) -> Response { Response(problem: refusal) }
}

extension Response {
    /// A problem document (RFC 9457) of type `about:blank`.
    public init(problem refusal: Refusal) {
        let title = refusal.status.reasonPhrase
        let text = """
            {"type":"about:blank","title":"\(title)","status":\(refusal.status.code),\
            "detail":"\(refusal.detail)"}
            """
        self.init(
            status: refusal.status,
            headers: [.contentType: "application/problem+json", .cacheControl: "no-store"],
            body: .bytes(Array(text.utf8)))
        if refusal.status == .serviceUnavailable { headers[.retryAfter] = "1" }
    }
}
