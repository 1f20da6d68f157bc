internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes

/// Answers about browsers that have signed in.
struct SessionResponder {
    let api: APIResponder
    private var sessions: SessionBook { api.sessions }

    func list(_ call: APICall) -> Response {
        let own = sessions.session(of: call.request)
        let all = sessions.sessions().map { Self.json($0, isOwn: $0.id == own) }
        return Response(json: ["sessions": .array(all), "required": .bool(api.requiresToken)])
    }

    func signIn(_ call: APICall) async throws(StoreError) -> Response {
        guard let body: SignInBody = JSONBody.decode(call.request.body) else {
            return Problem.body("The body must have \"code\".").response
        }
        let said = body.name.map { String($0.prefix(100)) } ?? ""
        let name = said.isEmpty ? BrowserName.words(call.request.header(.userAgent) ?? "") : said
        let sessions = sessions
        let outcome = try await api.blocking { _ throws(StoreError) in
            try sessions.signIn(body.code, name: name)
        }
        switch outcome {
        case .wrongCode: return Problem.wrongCode.response
        case .tooOften: return Problem.wrongTooOften.response
        case .signedIn(let session, let cookie):
            var response = Response(json: Self.json(session, isOwn: true), status: .created)
            response.headers[.setCookie] = setCookie(cookie, age: SessionBook.limits.session, call.request)
            return response
        }
    }

    func makeCode(_ call: APICall) -> Response {
        let code = sessions.makeCode()
        let bases = [api.address(for: call)] + api.otherAddresses
        return Response(
            json: [
                "code": .string(code.text), "expires_at": .string(Self.text(code.expiresAt)),
                "urls": .array(bases.map { .string("\($0)/#code=\(code.text)") }),
            ], status: .created)
    }

    /// Ends the session that the path names, or all sessions.
    func end(_ call: APICall) async throws(StoreError) -> Response {
        let id = call.tokenText.isEmpty ? nil : call.tokenText
        let own = sessions.session(of: call.request)
        let sessions = sessions
        let isEnded = try await api.blocking { _ throws(StoreError) in try sessions.end(id) }
        guard isEnded || id == nil else { return Problem.notFound("There is no such session.").response }
        var response = Response(status: .noContent)
        if own != nil, id == nil || id == own {
            response.headers[.setCookie] = setCookie("", age: 0, call.request)
        }
        return response
    }

    private func setCookie(_ value: String, age: Double, _ request: Request) -> String {
        let isSecure = request.outerAddress?.hasPrefix("https:") == true
        return "\(sessions.cookieName)=\(value); Path=/; Max-Age=\(Int(age)); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    private static func json(_ session: SessionBook.Session, isOwn: Bool) -> JSONValue {
        [
            "id": .string(session.id), "name": .string(session.name),
            "created_at": .string(text(session.createdAt)), "last_seen_at": .string(text(session.lastSeenAt)),
            "current": .bool(isOwn),
        ]
    }

    private static func text(_ date: Date) -> String { date.ISO8601Format() }
}

extension Problem {
    fileprivate static let wrongCode = Problem(
        status: .forbidden, type: "code",
        detail: "This code is wrong, was used, or is older than five minutes; ask for a new one.")
    fileprivate static let wrongTooOften = Problem(
        status: .tooManyRequests, type: "code",
        detail: "There were too many wrong codes; try again in a minute.", retryAfter: 60)
}

extension APIOperation {
    /// The operations for browsers that sign in.
    static let sessions: [APIOperation] = [
        APIOperation(
            .get, "sessions", name: "listSessions", summary: "Lists the browsers that have signed in."
        ) {
            api, call async throws(StoreError) in SessionResponder(api: api).list(call)
        }.documented(200, "Sessions"),
        APIOperation(.post, "sessions", name: "signIn", summary: "Signs a browser in by a code.") {
            api, call async throws(StoreError) in try await SessionResponder(api: api).signIn(call)
        }.documented(
            body: "SignIn", 201, "Session",
            details:
                "The answer sets a cookie that replaces the token in later requests. This request needs no token. A code works once, within five minutes; after ten wrong codes within a minute, every code is refused (429)."
        ),
        APIOperation(.delete, "sessions", name: "endSessions", summary: "Signs all browsers out.") {
            api, call async throws(StoreError) in try await SessionResponder(api: api).end(call)
        }.documented(204, nil),
        APIOperation(
            .post, "sessions/codes", name: "makeCode", summary: "Makes a code that signs one browser in."
        ) {
            api, call async throws(StoreError) in SessionResponder(api: api).makeCode(call)
        }.documented(body: "Object", 201, "SignInCode"),
        APIOperation(.delete, "sessions/{session}", name: "endSession", summary: "Signs a browser out.") {
            api, call async throws(StoreError) in try await SessionResponder(api: api).end(call)
        }.documented(204, nil),
    ]
}
