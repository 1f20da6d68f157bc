internal import APIDocuments
internal import AssetStore
internal import OfflineServer

extension EngineSession {
    func renewLicense(
        _ token: AssetToken, terms: LicenseTerms?, via url: String?, access edit: AccessEdit
    ) async throws {
        switch self {
        case .own(let server):
            try await server.store.licenses.renew(token, terms: terms, via: url, access: edit)
        case .other(let client):
            _ = try await client.ask("assets/\(token)/license", LicenseBody(terms, via: url, edit))
        }
    }

    func addKey(_ pair: KeyPair, to token: AssetToken) async throws {
        switch self {
        case .own(let server):
            try pair.add(to: token, in: server.store)
        case .other(let client):
            let body: JSONValue = ["key": .string(pair.text)]
            try await client.send("assets/\(token)/keys", body: body.bytes)
        }
    }

    func revokeLicense(_ token: AssetToken) async throws {
        switch self {
        case .own(let server): try server.store.licenses.revoke(token)
        case .other(let client): _ = try await client.act("revoke", on: token)
        }
    }
}
