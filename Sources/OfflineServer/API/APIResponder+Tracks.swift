internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// Renditions that an asset gets later, or loses.
extension APIResponder {
    func tracks(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        guard let body: TracksBody = JSONBody.decode(call.request.body), !body.isEmpty,
            body.chosen.isSound
        else {
            return Problem.body(
                "The body must say what to add (\"audio\", \"subtitles\", \"max_height\" and the like, \"subtitle_files\") or to \"remove\".",
                token
            ).response
        }
        let added = try await store.change(body, of: token)
        accepted.insert(token)
        let more: [(String, JSONValue)] = [
            ("added", .array(added.names.map { .string($0) })), Self.lost(added.lost),
        ]
        return Response(json: try await document(of: token, for: call).adding(more), status: .accepted)
    }
}
