internal import APIDocuments
internal import AssetStore
internal import Forwarding
internal import HTTPDaemon
internal import HTTPTypes

/// Answers every request: checks whether the client is permitted, reads the route, and calls the responder.
final class Router: HTTPResponder {
    let access: AccessPolicy
    /// The gate that demands a token on every request, unless only this machine can reach the server.
    let gate: TokenGate
    let media: MediaResponder
    let api: APIResponder
    let pages: PageResponder
    /// The routes that the program which started the server answers itself.
    let custom: CustomRoutes
    private let metrics: MetricsResponder
    let isReady: @Sendable () -> Bool

    init(
        access: AccessPolicy, gate: TokenGate, media: MediaResponder, api: APIResponder,
        pages: PageResponder, custom: CustomRoutes,
        isReady: @escaping @Sendable () -> Bool
    ) {
        self.access = access
        self.gate = gate
        self.media = media
        self.api = api
        self.pages = pages
        self.custom = custom
        metrics = MetricsResponder(store: api.store)
        self.isReady = isReady
    }

    func respond(to request: Request) -> Answer {
        guard let meant = meant(request) else { return refusal(of: request) }
        let answer = admitted(meant)
        // Deferred work gets the request as it was received, with its content; prefix and outer address are applied
        // again.
        let (prefix, outer) = (meant.prefix, meant.outerAddress)
        guard !prefix.isEmpty || outer != nil, case .later(let deadline, let pool, let work) = answer else {
            return answer
        }
        return .later(deadline: deadline, on: pool) { request in
            let inner = prefix.isEmpty ? request : request.without(prefix: prefix)
            return await work(outer.map(inner.reached) ?? inner)
        }
    }

    /// The request without the token in its path, and with the outer address if a proxy names one; `nil` when the token
    /// is required and missing.
    private func meant(_ request: Request) -> Request? {
        let gate = access.proxies.demandsToken(request) ? gate.closed : gate
        guard let admitted = gate.admit(request) else { return nil }
        return access.proxies.outerAddress(of: request).map(admitted.reached) ?? admitted
    }

    /// The refusal of clients without the token. Browsers send a preflight request without it for pages of allowed
    /// origins, and such a page may read the refusal (Fetch Standard, CORS-preflight fetch).
    private func refusal(of request: Request) -> Answer {
        if SignInPage.isWanted(by: request) { return .response(SignInPage(path: request.path).response) }
        let refusal = TokenGate.refusal.about(assetAbove: request.path).response
        let isMedia = request.path.hasPrefix("/assets/")
        guard case .permitted(let origin?) = access.judge(request, changesState: false, isMedia: isMedia)
        else {
            return .response(refusal)
        }
        let isPreflight = request.method == .options && request.header(.accessControlRequestMethod) != nil
        return Answer.response(isPreflight ? Response(status: .noContent) : refusal).shared(with: origin)
    }

    private func admitted(_ request: Request) -> Answer {
        var lookup = CacheLookup(media.cache)
        if access.isUsualName(request.authority), let answer = media.quickAnswer(request, &lookup) {
            return answer
        }
        switch access.verdict(on: request) {
        case .refused(let problem): return .response(problem.about(assetAbove: request.path).response)
        case .permitted(let origin): return conditional(request, route(request, lookup)).shared(with: origin)
        }
    }

    /// The response to a request that the daemon refuses, in the form of all refusals. Pages that may read answers
    /// may read this one.
    func refuse(_ refusal: Refusal, of request: Request?) -> Response {
        let problem = Problem(status: refusal.status, type: "about:blank", detail: refusal.detail)
        guard let request = request.map({ meant($0) ?? $0 }) else { return problem.response }
        let response = problem.about(assetAbove: request.path).response
        guard case .permitted(let origin?) = access.verdict(on: request) else { return response }
        return response.shared(with: origin)
    }

    private func route(_ request: Request, _ lookup: CacheLookup) -> Answer {
        Trace.pass(.route, request.traced)
        if let refusal = RequestCheck.refusal(of: request) {
            return .response(refusal.about(assetAbove: request.path).response)
        }
        switch Route(path: request.path) {
        case .asset(let token, let resource):
            if request.query == NamedObject.query, access.proxies.wantsObject(request),
                let answer = media.objectAnswer(request, token, resource: resource)
            {
                return answer
            }
            return media.answer(request, token, resource: resource, lookup: lookup)
        case .api(let parts): return api.answer(request, parts)
        case .library: return pages.answer(request, nil)
        case .watch(let token): return pages.answer(request, token)
        case .page(let name): return pages.answer(request, resource: name)
        case .health: return readOnly(request) { Response(text: "ok\n") }
        case .metrics:
            guard request.method == .get || request.method == .head else {
                return readOnly(request) { Response(status: .ok) }
            }
            return metrics.answer(request)
        case .readiness:
            return readOnly(request) { isReady() ? Response(text: "ready\n") : Problem.starting.response }
        case nil where request.path == "*":
            // OPTIONS for the server as a whole (RFC 9110, section 9.3.7).
            return .response(Response(status: .noContent, headers: [.allow: RequestCheck.allowed]))
        case nil where request.path.isEmpty: return .response(Response(movedTo: "\(request.prefix)/"))
        case nil:
            if let answer = custom.answer(request) { return answer }
            let problem = Problem.notFound("There is nothing at this address; the library is at /.")
            return .response(problem.about(assetAbove: request.path).response)
        }
    }

    private func readOnly(_ request: Request, _ response: () -> Response) -> Answer {
        switch request.method {
        case .get, .head: .response(response())
        case .options: .response(Response(status: .noContent, headers: [.allow: "GET, HEAD, OPTIONS"]))
        default: .response(Problem.methodNotAllowed("GET, HEAD, OPTIONS").response)
        }
    }

    /// Applies the conditions of a GET or HEAD request, also to answers without a validator. The API checks the
    /// conditions of a change before it begins.
    private func conditional(_ request: Request, _ answer: Answer) -> Answer {
        guard request.method == .get || request.method == .head, !request.isUnconditional else {
            return answer
        }
        return answer.map { $0.heeding(request).naming(assetAt: request.path) }
    }

}

extension Answer {
    /// Lets the page of an allowed origin read the answer (Fetch Standard, CORS protocol).
    func shared(with origin: String?) -> Answer {
        guard let origin else { return self }
        return map { $0.shared(with: origin) }
    }

    /// The answer with another response; prepared work stays.
    func map(_ change: @escaping @Sendable (Response) -> Response) -> Answer {
        switch self {
        case .response(let response): .response(change(response))
        case .prepared: self
        case .later(let deadline, let pool, let work):
            .later(deadline: deadline, on: pool) { change(await work($0)) }
        }
    }
}

extension Response {
    /// A plain text.
    init(text: String) {
        self.init(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: .bytes(Array(text.utf8)))
    }

    /// A redirection to another address of this server. The address may hold the token and must not be cached.
    fileprivate init(movedTo path: String) {
        self.init(status: .permanentRedirect, headers: [.location: path, .cacheControl: "no-store"])
    }

    /// A JSON document.
    init(json: JSONValue, status: HTTPResponse.Status = .ok) {
        self.init(
            status: status, headers: [.contentType: MediaType.json, .cacheControl: "no-store"],
            body: .bytes(json.bytes))
    }

    /// The response under a request's conditions. Without a validator a condition can only ask whether the resource
    /// exists (RFC 9110, section 13.1); a response with a validator was checked before.
    fileprivate func heeding(_ request: Request) -> Response {
        guard status == .ok, headers[.eTag] == nil, case .bytes = body else { return self }
        return Representation(size: nil).response(to: request, headers: headers, now: .now) { _ in body }
    }

    /// The response, with the asset's token in errors about conditions or ranges, as in all other errors.
    fileprivate func naming(assetAt path: String) -> Response {
        let refusals: [Refusal] = [.preconditionFailed, .rangeNotSatisfiable]
        guard let refusal = refusals.first(where: { $0.status == status }),
            case .asset(let token, _)? = Route(path: path)
        else { return self }
        var named = self
        named.body =
            Problem(status: status, type: "about:blank", detail: refusal.detail, token: token).response.body
        return named
    }

    func shared(with origin: String) -> Response {
        var shared = self
        shared.headers[.accessControlAllowOrigin] = origin
        shared.headers[.vary] = "Origin"
        shared.headers[.accessControlExposeHeaders] = "Content-Length, Content-Range, ETag, Retry-After"
        if status == .noContent {
            shared.headers[.accessControlAllowMethods] = "GET, HEAD, POST, OPTIONS"
            shared.headers[.accessControlAllowHeaders] =
                """
                Authorization, Content-Type, Range, If-Range, If-None-Match, If-Match, If-Modified-Since, \
                If-Unmodified-Since, CMCD-Object, CMCD-Request, CMCD-Session, CMCD-Status
                """
            shared.headers[.accessControlMaxAge] = "600"
        }
        return shared
    }
}
