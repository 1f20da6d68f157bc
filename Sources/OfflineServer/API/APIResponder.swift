internal import APIDocuments
package import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import SystemPackage

/// The JSON API under `/api/v1`: finds the operation of a request and checks whether its client may use it.
struct APIResponder: Sendable {
    let store: OfflineStore
    let accepted: AcceptedAssets
    let entries = EntryGroups()
    /// The client IDs of requests in progress.
    let pending = PendingRequests()
    /// Makes the conditional changes of an asset run one after the other.
    private let turns = Turns()
    /// The server's address, for clients that send no Host field.
    let serverURL: String
    /// The API token of the store (its file `api-token`). A change with another token is refused.
    let token: String
    /// The browsers that have signed in.
    let sessions: SessionBook
    /// Whether every request needs the API token or a session.
    let requiresToken: Bool
    /// The server's addresses for other machines, without a slash at the end.
    let otherAddresses: [String]

    func answer(_ request: Request, _ parts: [String]) -> Answer {
        let operations = APIOperation.all.filter { $0.matches(parts) }
        guard !operations.isEmpty else {
            return .response(
                Problem.notFound("The API has no such resource; /api/v1/openapi.json lists all.").response)
        }
        let methods = Self.methods(of: operations)
        if request.method == .options {
            return .response(Self.options(of: operations, methods))
        }
        let method = request.method == .head ? .get : request.method
        guard let operation = operations.first(where: { $0.method == method }) else {
            return .response(Problem.methodNotAllowed(methods).response)
        }
        if method != .get, let refusal = refusal(of: request) { return .response(refusal.response) }
        let token = operation.token(in: parts) ?? ""
        return .later(deadline: operation.deadline) { request in
            await self.perform(operation, APICall(request: request, tokenText: token))
        }
    }

    /// The response to OPTIONS. It has Accept-Patch for resources that support PATCH (RFC 5789, section 3.1).
    private static func options(of operations: [APIOperation], _ methods: String) -> Response {
        var response = Response(status: .noContent, headers: [.allow: methods])
        if operations.contains(where: { $0.method == .patch }) {
            response.headers[.acceptPatch] = MediaType.json
        }
        return response
    }

    private static func methods(of operations: [APIOperation]) -> String {
        let own = operations.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }
        return (own + ["OPTIONS"]).joined(separator: ", ")
    }

    private func perform(_ operation: APIOperation, _ call: APICall) async -> Response {
        let token = AssetToken(call.tokenText)
        if let refusal = Self.refusal(of: call.query, operation) { return refusal.response }
        if let body = operation.documentation.body, let fault = APIShapes.fault(in: call.request.body, body) {
            return Problem.body(fault, token).response
        }
        do throws(StoreError) {
            guard operation.method != .get, !call.request.isUnconditional else {
                return try await operation.handle(self, call)
            }
            return try await conditionally(operation, call)
        } catch {
            return error.requestProblem(token, store: store.paths.root.string).response
        }
    }

    /// The problem with a query that has an unknown or a repeated item; `nil` for a good query. An unknown item would
    /// be ignored silently, and of a repeated item the server can't know which value is meant.
    private static func refusal(of query: QueryItems, _ operation: APIOperation) -> Problem? {
        let known = operation.documentation.query.map(\.name)
        if let name = query.names.first(where: { !known.contains($0) }) {
            return Problem.unknownItem(name, known: known)
        }
        return known.first(where: query.isRepeated).map { .repeated($0) }
    }

    /// Refuses a change with a wrong bearer token, since its client means another store. Also refuses a change
    /// without a JSON content type, unless its method is DELETE: HTML forms can send neither. ``TokenGate`` decides
    /// whether a token is needed. Requests from foreign pages were refused before.
    private func refusal(of request: Request) -> Problem? {
        let isOwnPage = request.header(.origin) != nil
        guard isOwnPage || !request.hasCredentials || TokenGate.isEqual(request.bearer ?? "", token) else {
            return Problem(
                status: .unauthorized, type: "token",
                detail: "The bearer token is wrong; send the one in the file api-token of the store.",
                challenge: "Bearer")
        }
        guard request.method == .delete || MediaType.isJSON(request.header(.contentType)) else {
            // RFC 9110, section 15.5.16; RFC 5789, section 2.2.
            return Problem(
                status: .unsupportedMediaType, type: "content-type",
                detail: "Send \(MediaType.json) as Content-Type.",
                acceptingField: request.method == .patch ? .acceptPatch : .accept)
        }
        return nil
    }

    /// Carries out a change if its conditions hold. Conditional changes of an asset run one after the other.
    private func conditionally(_ operation: APIOperation, _ call: APICall) async throws(StoreError)
        -> Response
    {
        let token = AssetToken(call.tokenText)
        if let token { await turns.take(token) }
        defer { if let token { turns.release(token) } }
        if let refusal = try await unmetCondition(of: call, operation) { return refusal.response }
        return try await operation.handle(self, call)
    }

    /// Checks the conditions of a request against the present state (RFC 9110, section 13.2.1). Only assets have a
    /// validator; a change of another resource with an entity tag in If-Match is refused.
    private func unmetCondition(
        of call: APICall, _ operation: APIOperation
    ) async throws(StoreError) -> Problem? {
        var representation = Representation(size: nil)
        if !call.tokenText.isEmpty, operation.template.contains("{token}") {
            let token = try call.token
            let asset = try await blocking { reader throws(StoreError) in try reader.progress(of: token) }
            guard asset != nil else { throw StoreError(.noSuchAsset(call.tokenText)) }
            if operation.template == APIOperation.assetTemplate {
                representation.entityTag = try await assetDocument(of: token, for: call).entityTag
            }
        }
        let outcome = Preconditions(call.request).evaluate(representation, now: .now)
        guard outcome == .failed else { return nil }
        return Problem(
            status: .preconditionFailed, type: "precondition",
            detail:
                "The asset has changed, so the condition of the request is not met. Get the asset with its new ETag, then send the request again.",
            token: AssetToken(call.tokenText))
    }

    /// Runs a query on other threads than those that serve requests.
    func blocking<T: Sendable>(
        _ work: @escaping @Sendable (StoreReader) throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        let reader = store.reader
        return try await WorkPool.queries.run { () throws(StoreError) in try work(reader) }
    }

    /// The prefix of the addresses in the answer to a request.
    func address(for call: APICall) -> String { call.request.address(orOf: serverURL) }

    /// The present asset object, with addresses for the client that asks.
    func document(of token: AssetToken, for call: APICall) async throws(StoreError) -> JSONValue {
        try await assetDocument(of: token, for: call).json
    }

    /// An asset as it is now, with addresses for the client that asks.
    ///
    /// - Parameter isListed: whether the asset is returned even if its files can't be checked, since the change has
    ///   already been made.
    func assetDocument(
        of token: AssetToken, for call: APICall, isListed: Bool = true
    ) async throws(StoreError) -> AssetDocument {
        let asset = try await blocking { reader throws(StoreError) in
            try reader.requireAsset(token, isListed: isListed)
        }
        if asset.state == .complete { store.watch([token]) }
        let live = await store.liveFigures(of: asset)
        return AssetDocument(asset: asset, server: address(for: call), live: live)
    }
}

extension HTTPField.Name {
    fileprivate static let acceptPatch = HTTPField.Name("Accept-Patch") ?? .accept
}

extension Request {
    var hasCredentials: Bool { header(.authorization) != nil }

    /// The token of a bearer (RFC 6750); the scheme is of any case, and any number of blanks follow it (RFC 9110,
    /// sections 11.1 and 11.4).
    var bearer: String? {
        let parts = (header(.authorization) ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }
}

/// The assets that other processes have asked to download.
package final class AcceptedAssets: Sendable {
    private let list = Lock<[AssetToken]>([])

    package var tokens: [AssetToken] { list.withLock { $0 } }

    func insert(_ token: AssetToken) { list.withLock { $0.append(token) } }
}
