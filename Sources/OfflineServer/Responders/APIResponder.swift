internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import SystemPackage

/// The JSON API under `/api/v1`.
struct APIResponder: Sendable {
    let store: AssetStore
    let accepted: AcceptedAssets
    let serverURL: String
    /// What every change must show (the store's `api-token` file), or come from our own page.
    let token: String
    static let deadline = Duration.seconds(120)
    static let pageSize = 100

    func answer(_ request: Request, _ parts: [String]) -> Answer {
        .later(deadline: Self.deadline) { request in
            do throws(StoreError) {
                return try await self.respond(request, parts)
            } catch {
                return error.problem(parts.count > 1 ? AssetToken(parts[1]) : nil).response
            }
        }
    }

    /// The methods that a resource has; `nil` when there is no such resource.
    private static func methods(_ parts: [String]) -> String? {
        switch (parts.first, parts.count) {
        case ("assets", 1): "GET, HEAD, POST, OPTIONS"
        case ("assets", 2): "GET, HEAD, DELETE, OPTIONS"
        case ("assets", 3), ("import", 1): "POST, OPTIONS"
        case ("storage", 1): "GET, HEAD, OPTIONS"
        default: nil
        }
    }

    private func respond(_ request: Request, _ parts: [String]) async throws(StoreError) -> Response {
        guard let methods = Self.methods(parts) else {
            return Problem.notFound("The API has no such resource.").response
        }
        if request.method == .options { return Response(status: .noContent, headers: [.allow: methods]) }
        guard methods.split(separator: ", ").contains(request.method.rawValue[...]) else {
            return Problem.methodNotAllowed(methods).response
        }
        let isRead = request.method == .get || request.method == .head
        if !isRead, let refusal = refusal(of: request) { return refusal.response }
        switch (parts.first, parts.count, request.method) {
        case ("assets", 1, .post): return try await add(request)
        case ("assets", 1, _): return try await list(request)
        case ("assets", 2, _):
            guard let token = AssetToken(parts[1]) else { throw StoreError(.noSuchAsset(parts[1])) }
            return try await asset(request, token)
        case ("assets", 3, _):
            guard let token = AssetToken(parts[1]) else { throw StoreError(.noSuchAsset(parts[1])) }
            return try await act(parts[2], on: token)
        case ("import", _, _): return try await importing(request)
        default:
            return Response(
                json: StorageDocument(
                    try await blocking { reader throws(StoreError) in try reader.storage() }
                ).json)
        }
    }

    /// Changes need a JSON content type, which no form can send, and the bearer token unless they come from
    /// our own page.
    private func refusal(of request: Request) -> Problem? {
        let isOwnPage = request.header(.origin) != nil
        guard isOwnPage || !request.hasCredentials || request.bearer == token else {
            return Problem(
                status: .unauthorized, type: "token", detail: "The bearer token is wrong.",
                challenge: "Bearer")
        }
        let type = request.header(.contentType)?.lowercased() ?? ""
        guard request.method == .delete || type.hasPrefix(MediaType.json) else {
            return Problem(
                status: .unsupportedMediaType, type: "content-type",
                detail: "Send \(MediaType.json) as Content-Type.")
        }
        return nil
    }

    private func blocking<T: Sendable>(
        _ work: @escaping @Sendable (StoreReader) throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        let reader = store.reader
        let result = await Blocking.run { () -> Result<T, StoreError> in
            do throws(StoreError) { return .success(try work(reader)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func list(_ request: Request) async throws(StoreError) -> Response {
        let query = QueryItems(request.query)
        let states = (query["state"] ?? "").split(separator: ",").map { AssetState(rawValue: String($0)) }
        guard !states.contains(nil) else {
            return Problem(status: .badRequest, type: "state", detail: "There is no such state.").response
        }
        let limit = min(1000, query["limit"].flatMap { Int($0) }.map { max(1, $0) } ?? Self.pageSize)
        let before = query["before"].flatMap { AssetToken($0) }
        let assets = try await blocking { reader throws(StoreError) in
            try reader.assets(states: states.compactMap(\.self), before: before, limit: limit)
        }
        let next = assets.count == limit ? assets.last?.token.description : nil
        return Response(json: ["assets": .array(assets.map(document)), "next": JSONValue(next)])
    }

    private func document(_ asset: Asset) -> JSONValue { AssetDocument(asset: asset, server: serverURL).json }

    private func asset(_ request: Request, _ token: AssetToken) async throws(StoreError) -> Response {
        switch request.method {
        case .delete:
            try await store.remove(token)
            return Response(status: .noContent)
        default:
            let asset = try await blocking { reader throws(StoreError) in try reader.requireAsset(token) }
            let speed = await store.speed(of: token)
            return Response(json: AssetDocument(asset: asset, server: serverURL, speed: speed).json)
        }
    }

    private func add(_ request: Request) async throws(StoreError) -> Response {
        guard let body = DownloadBody.request(request.body) else {
            return Problem(
                status: .badRequest, type: "body",
                detail: "The body must be a JSON object with at least \"url\"."
            ).response
        }
        let added = try await store.add(body)
        accepted.insert(added.token)
        let asset = try await blocking { reader throws(StoreError) in try reader.requireAsset(added.token) }
        var response = Response(json: document(asset), status: .created)
        response.headers[.location] = "/api/v1/assets/\(added.token)"
        return response
    }

    private func importing(_ request: Request) async throws(StoreError) -> Response {
        let body = try? JSONDecoder().decode([String: String?].self, from: Data(request.body))
        guard let path = (body?["path"] ?? nil).map({ FilePath($0) }), path.isAbsolute else {
            return Problem(
                status: .badRequest, type: "body", detail: "The body must name an absolute \"path\"."
            ).response
        }
        let token = try await store.importing(path, name: body?["name"] ?? nil)
        let asset = try await blocking { reader throws(StoreError) in try reader.requireAsset(token) }
        return Response(json: document(asset), status: .created)
    }

    private func act(_ verb: String, on token: AssetToken) async throws(StoreError) -> Response {
        switch verb {
        case "verify": return Response(json: VerificationDocument(try await store.verify(token)).json)
        case "repair", "resume":
            try await store.repair(token)
            accepted.insert(token)
            let asset = try await blocking { reader throws(StoreError) in try reader.requireAsset(token) }
            return Response(json: document(asset), status: .accepted)
        case "remove":
            try await store.remove(token)
            return Response(json: ["removed": .string(token.description)])
        default: return Problem.notFound("Assets have no such action.", token: token).response
        }
    }
}

extension Request {
    fileprivate var hasCredentials: Bool { header(.authorization) != nil }

    /// The token of a bearer (RFC 6750); the scheme is of any case (RFC 9110, section 11.1).
    fileprivate var bearer: String? {
        let parts = (header(.authorization) ?? "").split(separator: " ", maxSplits: 1)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }
}

/// The assets whose download other processes asked for.
final class AcceptedAssets: Sendable {
    private let list = Lock<[AssetToken]>([])

    var tokens: [AssetToken] { list.withLock { $0 } }

    func insert(_ token: AssetToken) { list.withLock { $0.append(token) } }
}
