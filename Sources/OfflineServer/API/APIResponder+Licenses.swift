internal import APIDocuments
internal import AssetStore
internal import HTTPDaemon
internal import HTTPTypes

extension APIOperation {
    static let licenses: [APIOperation] = [
        APIOperation(
            .get, "assets/{token}/license", name: "getLicense",
            summary: "Shows the terms on which an asset may be played."
        ) {
            api, call async throws(StoreError) in try await api.showLicense(call)
        }.documented(200, "LicenseWithHistory"),
        APIOperation(
            .post, "assets/{token}/license", name: "renewLicense",
            summary:
                "Gets a new license for an asset, from the provider of its keys or with keys that were given."
        ) {
            api, call async throws(StoreError) in try await api.renewLicense(call)
        }.documented(body: "LicenseRequest", 200, "LicenseWithHistory"),
        APIOperation(
            .delete, "assets/{token}/license", name: "deleteLicense",
            summary: "Wipes an asset's keys; its media stay."
        ) {
            api, call async throws(StoreError) in try await api.revokeLicense(call)
        }.documented(200, "LicenseWithHistory"),
        APIOperation(
            .get, "assets/{token}/keys", name: "listKeys",
            summary: "Lists an asset's keys, without a byte of them."
        ) {
            api, call async throws(StoreError) in try await api.listKeys(call)
        }.documented(200, "Keys"),
        APIOperation(
            .post, "assets/{token}/keys", name: "addKey",
            summary:
                "Adds a key by its ID, or by its identifier in the media (KID). After a revocation this makes a new license, if no key of the asset was fetched."
        ) {
            api, call async throws(StoreError) in try await api.addKey(call)
        }.documented(body: "KeyRequest", 200, "Keys"),
        APIOperation(
            .post, "assets/{token}/revoke", name: "revokeLicense",
            summary: "Wipes an asset's keys; its media stay."
        ) {
            api, call async throws(StoreError) in try await api.revokeLicense(call)
        }.documented(body: "Object", 200, "LicenseWithHistory"),
    ]
}

/// The license of an asset.
extension APIResponder {
    func showLicense(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        let (asset, events) = try await blocking { [store] reader throws(StoreError) in
            store.keys.flush()
            return (try reader.requireProgress(of: token), try reader.licenseEvents(of: token))
        }
        return Response(json: LicenseDocument(asset.license).json(events))
    }

    func renewLicense(_ call: APICall) async throws(StoreError) -> Response {
        guard let body = LicenseBody(call.request.body) else {
            let body: LicenseBody? = JSONBody.decode(call.request.body)
            let usual = JSONFault(.conflict("the body can't be read"), path: [])
            return Problem.body(body?.conflict ?? usual, try call.token).response
        }
        try await store.licenses.renew(
            call.token, terms: body.terms, via: body.viaUrl, access: body.accessEdit)
        return try await showLicense(call)
    }

    func listKeys(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        let keys = try await blocking { reader throws(StoreError) in
            try reader.requireProgress(of: token)
            return try reader.keyOutlines(of: token)
        }
        return Response(json: ["keys": .array(keys.map(LicenseDocument.json))])
    }

    func addKey(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        let body: KeyBody? = JSONBody.decode(call.request.body)
        guard let pair = body.flatMap({ KeyPair($0.key) }) else {
            return Problem.body(
                "The body must have \"key\": \"ID:KEY\", by an ID of its keys or a KID.", token
            )
            .response
        }
        try await blocking { [store] _ throws(StoreError) in
            try pair.add(to: token, in: store)
        }
        return try await listKeys(call)
    }

    func revokeLicense(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        try await blocking { [store] _ throws(StoreError) in try store.licenses.revoke(token) }
        return try await showLicense(call)
    }
}
