package import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

extension MediaResponder {
    /// Answers requests for keys; `nil` for anything else.
    func keyAnswer(_ request: Request, _ token: AssetToken, _ resource: AssetResource) -> Answer? {
        switch (resource, request.method) {
        case (.key(let id), .get), (.key(let id), .head): keyAnswer(token, id, counts: Self.handsOut(request))
        case (.key(let id), .put): depositAnswer(token, id)
        case (.key, .options):
            .response(Response(status: .noContent, headers: [.allow: Self.keyMethods]))
        case (.key, _): .response(Problem.methodNotAllowed(Self.keyMethods, token: token).response)
        case (.clearKey, .post): clearKeyAnswer(token)
        case (.clearKey, .options):
            .response(Response(status: .noContent, headers: [.allow: "POST, OPTIONS"]))
        case (.clearKey, _):
            .response(Problem.methodNotAllowed("POST, OPTIONS", token: token).response)
        default: nil
        }
    }

    /// Whether a request gets the bytes of a key, and not only the header section: that counts as a play.
    private static func handsOut(_ request: Request) -> Bool {
        !request.isHead && Preconditions(request).evaluate(Representation(size: nil), now: .now) == .proceed
    }

    private static let keyMethods = "GET, HEAD, PUT, OPTIONS"

    /// Hands out a key: from what the desk has at hand on the daemon's thread, else on another one.
    func keyAnswer(_ token: AssetToken, _ id: String, counts: Bool) -> Answer {
        if let answer = keys.quickKey(token, id, counts: counts) {
            return .response(Self.response(answer, token))
        }
        return .later(deadline: Self.deadline) { [keys] _ in
            await Blocking.run {
                do throws(StoreError) {
                    return Self.response(try keys.key(token, id, counts: counts), token)
                } catch {
                    return error.mediaProblem(token).response
                }
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

    /// Takes what a client of a key system deposits in the place of a key.
    func depositAnswer(_ token: AssetToken, _ id: String) -> Answer {
        .later(deadline: Self.deadline) { request in
            await Blocking.run {
                do throws(StoreError) {
                    return try self.deposit(request, token, id)
                } catch {
                    return error.problem(token).response
                }
            }
        }
    }

    private func deposit(_ request: Request, _ token: AssetToken, _ id: String) throws(StoreError) -> Response
    {
        let known = try reader.keyOutlines(of: token).first { $0.id == id && $0.format != nil }
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
        _ = try store.depositKey(
            request.body, id, of: token, contentType: request.header(.contentType))
        return Response(
            status: known.isStored ? .noContent : .created, headers: [.cacheControl: "no-store"])
    }

    /// Whether a key may be changed under a request's conditions (RFC 9110, section 13.1). A key has no validator: that
    /// it is there or not is all that can be asked.
    private static func holds(_ request: Request, ofExisting isStored: Bool) -> Bool {
        guard isStored else { return request.header(.ifMatch) == nil }
        return Preconditions(request).evaluate(Representation(size: nil), now: .now) != .failed
    }

    /// Why a license keeps a resource back. A film that was begun goes on when it has expired: its playlists and
    /// segments are there for as long as that may take.
    func refusal(_ token: AssetToken, _ resource: AssetResource) throws(StoreError) -> LicenseRefusal? {
        switch resource {
        case .multivariantPlaylist: try keys.refusal(token)
        case .mediaPlaylist, .subtitles, .subtitlePlaylist, .subtitleSegment, .subtitleFrame:
            try keys.refusalWhenIdle(token)
        case .unit, .key, .clearKey, .poster, .thumbnail, .dateRanges, .sessionData, .interstitialList,
            .subtitleList:
            nil
        }
    }
}

extension LicenseRefusal {
    package func problem(_ token: AssetToken) -> Problem {
        Problem(status: .forbidden, type: rawValue, detail: sentence(token), token: token)
    }
}
