package import APIDocuments
package import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// Renditions that an asset gets later, or loses.
extension APIResponder {
    func tracks(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        let body: TracksBody? = JSONBody.decode(call.request.body)
        guard let body, body.conflict == nil, body.chosen.isSound else {
            let usual = JSONFault(.conflict("the body can't be read"), path: [])
            return Problem.body(body?.conflict ?? usual, token).response
        }
        let added = try await store.change(body, of: token)
        accepted.insert(token)
        let more: [(String, JSONValue)] = [
            ("added", .array(added.names.map { .string($0) }))
        ]
        return Response(json: try await document(of: token, for: call).adding(more), status: .accepted)
    }
}

extension OfflineStore {
    /// Removes first, then adds.
    package func change(_ tracks: TracksBody, of token: AssetToken) async throws(StoreError) -> TracksAdded {
        if let names = tracks.remove, !names.isEmpty { try await removeTracks(names, from: token) }
        let (selection, files) = (tracks.chosen, tracks.subtitleFiles ?? [])
        guard !selection.isAutomatic || !files.isEmpty else { return TracksAdded() }
        return try await addTracks(
            selection, subtitleFiles: files, to: token, isStrict: tracks.strict ?? false)
    }
}
