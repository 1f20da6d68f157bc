internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// Looking at streams that are not in the store.
extension APIResponder {
    func probe(_ call: APICall) async throws(StoreError) -> Response {
        guard let body = DownloadBody(call.request.body) else { return Self.noURL }
        let offer = try await store.inspector(url: body.url, access: body.access)
            .offer(allowsMissingKeys: body.allowMissingKey ?? false)
        return Response(json: OfferReport(offer).json)
    }

    func estimate(_ call: APICall) async throws(StoreError) -> Response {
        guard let body = DownloadBody(call.request.body) else { return Self.noURL }
        let inspector = try store.inspector(url: body.url, access: body.access)
        let preview = try await inspector.preview(
            body.selection, allowsMissingKeys: body.allowMissingKey ?? false)
        return Response(json: PreviewReport(preview).estimate)
    }

    func relink(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        guard let body: RelinkBody = JSONBody.decode(call.request.body) else { return Self.noURL }
        try await store.relink(token, to: body.url)
        accepted.insert(token)
        return Response(json: try await document(of: token, for: call))
    }

    private static var noURL: Response {
        Problem.body("The body must be a JSON object with at least \"url\".").response
    }
}

/// The body of `POST /assets/{token}/relink`.
struct RelinkBody: Decodable {
    var url: String
}
