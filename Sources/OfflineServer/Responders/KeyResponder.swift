internal import APIDocuments
package import AssetStore
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// Answers requests for content keys under their license terms: hands keys out, stores keys that a client deposits,
/// and grants licenses to ClearKey players.
struct KeyResponder: Sendable {
    let media: MediaResponder

    private var keys: KeyDesk { media.keys }
    private static let deadline = MediaResponder.deadline

    /// The answer to a request for keys; `nil` for other resources.
    func answer(_ request: Request, _ token: AssetToken, resource: AssetResource) -> Answer? {
        switch (resource, request.method) {
        case (.key(let id), .get), (.key(let id), .head): key(token, id, counts: Self.handsOut(request))
        case (.key(let id), .put): deposit(token, id)
        case (.key, .options):
            .response(Response(status: .noContent, headers: [.allow: Self.keyMethods]))
        case (.key, _): .response(Problem.methodNotAllowed(Self.keyMethods, token: token).response)
        case (.clearKey, .post): clearKeys(token)
        case (.clearKey, .options):
            .response(Response(status: .noContent, headers: [.allow: "POST, OPTIONS"]))
        case (.clearKey, _):
            .response(Problem.methodNotAllowed("POST, OPTIONS", token: token).response)
        default: nil
        }
    }

    /// Whether the response has the bytes of a key, not only the header section: that counts as a play.
    private static func handsOut(_ request: Request) -> Bool {
        !request.isHead && Preconditions(request).evaluate(Representation(size: nil), now: .now) == .proceed
    }

    private static let keyMethods = "GET, HEAD, PUT, OPTIONS"

    /// Hands out a key: on the daemon's thread if the desk has it in memory, otherwise on another one.
    private func key(_ token: AssetToken, _ id: String, counts: Bool) -> Answer {
        Trace.pass(.keyResponse, "\(token) \(id)")
        if let answer = keys.quickKey(token, id, counts: counts) {
            return .response(Self.response(answer, token))
        }
        return .later(deadline: Self.deadline, on: MediaResponder.threads) { [keys] _ in
            do throws(StoreError) {
                return Self.response(try keys.key(token, id, counts: counts), token)
            } catch {
                return error.mediaProblem(token).response
            }
        }
    }

    private static func response(_ answer: KeyAnswer, _ token: AssetToken) -> Response {
        switch answer {
        case .key(let bytes, let type):
            Response(
                status: .ok, headers: [.contentType: type ?? MediaType.key, .cacheControl: "no-store"],
                body: .bytes(bytes))
        case .refused(let refusal): refusal.problem(token).response
        case .missing: Problem.missingKey(token).response
        case .unknown:
            Problem.notFound("The asset has no such key, or there is no such asset.", token: token).response
        }
    }

    /// Stores the data that a client of a key system deposits in place of a key.
    private func deposit(_ token: AssetToken, _ id: String) -> Answer {
        .later(deadline: Self.deadline, on: MediaResponder.threads) { request in
            do throws(StoreError) {
                return try self.deposit(request, token, id: id)
            } catch {
                return error.problem(token).response
            }
        }
    }

    private func deposit(_ request: Request, _ token: AssetToken, id: String) throws(StoreError) -> Response {
        let known = try media.reader.keyOutlines(of: token).first { $0.id == id && $0.format != nil }
        guard let known else {
            return Problem.notFound("The asset has no key of a key system by this name.", token: token)
                .response
        }
        guard !request.body.isEmpty else { return Problem.body("There is no content.", token).response }
        guard Self.holds(request, ofExisting: known.isStored) else {
            return Problem(
                status: .preconditionFailed, type: "precondition", detail: "A precondition is not met.",
                token: token
            ).response
        }
        _ = try media.store.licenses.depositKey(
            request.body, id, of: token, contentType: request.header(.contentType))
        return Response(
            status: known.isStored ? .noContent : .created, headers: [.cacheControl: "no-store"])
    }

    /// Whether a request's conditions permit to change a key (RFC 9110, section 13.1). A key has no validator: a
    /// condition can only ask whether it exists.
    private static func holds(_ request: Request, ofExisting isStored: Bool) -> Bool {
        guard isStored else { return request.header(.ifMatch) == nil }
        return Preconditions(request).evaluate(Representation(size: nil), now: .now) != .failed
    }

    /// A license for ClearKey players: a set of JSON Web Keys (W3C Encrypted Media Extensions, section 9.1.3).
    private func clearKeys(_ token: AssetToken) -> Answer {
        .later(deadline: Self.deadline, on: MediaResponder.threads) { [media, keys] request in
            guard let body: ClearKeyRequest = JSONBody.decode(request.body),
                let identifiers = body.identifiers
            else {
                return Problem.body(
                    "The body must be a ClearKey license request with \"kids\" in Base64URL.", token
                ).response
            }
            if let found = keys.quickClearKeys(token, identifiers) {
                return Self.license(found, type: body.type)
            }
            return await media.onceResolved(token) {
                media.attempt(token) { () throws(StoreError) in
                    if let response = try media.unresolvedResponse(token) { return response }
                    let found = try keys.clearKeys(token, identifiers)
                    return Self.license(found, type: body.type)
                }
            }
        }
    }

    private static func license(
        _ keys: [(identifier: [UInt8], key: [UInt8])], type: String?
    ) -> Response {
        let set = keys.map { pair -> JSONValue in
            [
                "kty": "oct", "kid": .string(Base64URL.text(pair.identifier)),
                "k": .string(Base64URL.text(pair.key)),
            ]
        }
        return Response(json: ["keys": .array(set), "type": .string(type ?? "temporary")])
    }
}

extension LicenseRefusal {
    package func problem(_ token: AssetToken) -> Problem {
        Problem(status: .forbidden, type: rawValue, detail: sentence(token), token: token)
    }
}
