internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

/// Looking at streams that are not in the store.
extension APIResponder {
    func probe(_ call: APICall) async throws(StoreError) -> Response {
        guard let body = DownloadBody(call.request.body) else { return Self.refusal(of: call) }
        let offer = try await store.inspector(url: body.url, access: body.access)
            .offer(allowsMissingKeys: body.allowMissingKey ?? false)
        return Response(json: OfferReport(offer).json)
    }

    func estimate(_ call: APICall) async throws(StoreError) -> Response {
        guard let body = DownloadBody(call.request.body) else { return Self.refusal(of: call) }
        let inspector = try store.inspector(url: body.url, access: body.access)
        let preview = try await inspector.preview(
            body.selection, license: body.request.license, allowsMissingKeys: body.allowMissingKey ?? false,
            isStrict: body.strict ?? false)
        return Response(json: PreviewReport(preview).estimate)
    }

    func relink(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        guard let body: RelinkBody = JSONBody.decode(call.request.body), body.hasSoundAccess else {
            return Self.refusal(of: call)
        }
        let isCompared = try await store.sources.relink(token, to: body.url, body.accessEdit)
        accepted.insert(token)
        let asset = try await document(of: token, for: call)
        return Response(json: asset.adding([("compared", .bool(isCompared))]))
    }

    private static func refusal(of call: APICall) -> Response {
        Problem.body(DownloadBody.fault(in: call.request.body)).response
    }
}
