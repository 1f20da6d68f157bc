internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

extension MediaResponder {
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
                    return error.problem(token).response
                }
            }
        }
    }

    private static func response(_ answer: KeyAnswer, _ token: AssetToken) -> Response {
        switch answer {
        case .key(let bytes):
            Response(
                status: .ok, headers: [.contentType: MediaType.key, .cacheControl: "no-store"],
                body: .bytes(bytes))
        case .refused(let refusal): refusal.problem(token).response
        case .missing:
            Problem(
                status: .notFound, type: "key-missing",
                detail: "The key is not stored; `offline-server license renew \(token)` asks for it again.",
                token: token
            ).response
        case .unknown:
            Problem.notFound("The asset has no such key, or there is no such asset.", token: token).response
        case .failed(let error): error.problem(token).response
        }
    }

    /// Why a license keeps a resource back. A film that was begun goes on: its playlists and segments are there
    /// for as long as that may take.
    func refusal(_ token: AssetToken, _ resource: AssetResource) throws(StoreError) -> LicenseRefusal? {
        switch resource {
        case .multivariantPlaylist: try keys.refusal(token)
        case .mediaPlaylist, .subtitles, .subtitlePlaylist, .subtitleSegment, .subtitleFrame:
            try keys.refusalWhenIdle(token)
        case .unit, .key, .poster, .thumbnail, .dateRanges, .subtitleList: nil
        }
    }
}

extension LicenseRefusal {
    func problem(_ token: AssetToken) -> Problem {
        Problem(status: .forbidden, type: rawValue, detail: sentence(token), token: token)
    }
}
