internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes
internal import SystemPackage

/// Assets: listing, making, showing, changing, importing, checking.
extension APIResponder {
    private static let pageSize = 100
    private static let watchedCount = 32
    private static let longestHold = Duration.seconds(2)

    func list(_ call: APICall) async throws(StoreError) -> Response {
        let query = call.query
        let states = (query["state"] ?? "").split(separator: ",").map { AssetState(rawValue: String($0)) }
        guard !states.contains(nil) else {
            return Problem(status: .badRequest, type: "state", detail: "There is no such state.").response
        }
        let limit = min(1000, query["limit"].flatMap { Int($0) }.map { max(1, $0) } ?? Self.pageSize)
        let before = query["before"].flatMap { AssetToken($0) }
        guard let since = Self.since(query) else { return Problem.since.response }
        let expiring = query["expiring"].map { TimeSpan(argument: $0) }
        if case .some(nil) = expiring { return Problem.expiring.response }
        let (assets, last) = try await blocking { reader throws(StoreError) in
            let last = try reader.lastEvent()
            return (
                try reader.assets(
                    states: states.compactMap(\.self), before: before, since: since > 0 ? since : nil,
                    expiring: expiring??.seconds, limit: limit), last
            )
        }
        store.watch(assets.lazy.filter { $0.state == .complete }.prefix(Self.watchedCount).map(\.token))
        let next = assets.count == limit ? assets.last?.token.description : nil
        let documents = assets.map { AssetDocument(asset: $0, server: serverURL).json }
        return Response(
            json: [
                "assets": .array(documents), "next": JSONValue(next), "last_event": .integer(last),
            ])
    }

    /// The event that a query begins after; 0 when it names none, `nil` when it names no event.
    static func since(_ query: QueryItems) -> Int64? {
        guard let text = query["since"] else { return 0 }
        return Int64(text).flatMap { $0 >= 0 ? $0 : nil }
    }

    func show(_ call: APICall) async throws(StoreError) -> Response {
        Response(json: try await document(of: call.token))
    }

    func add(_ call: APICall) async throws(StoreError) -> Response {
        guard let body = DownloadBody(call.request.body) else {
            guard let list = DownloadList(call.request.body) else {
                return Problem.body(
                    "The body must be a JSON object with at least \"url\", or a list of such; headers are \"Name: value\", limits are above 0."
                ).response
            }
            return try await add(list)
        }
        guard body.hold ?? false else {
            return try await created(try await entries.enqueue(body.request, in: store))
        }
        let added = try await store.add(body.request, isHeld: true)
        releaseSoon([added.token])
        return try await created(added.token, [Self.lost(added.lost)])
    }

    private func created(
        _ token: AssetToken, _ more: [(String, JSONValue)] = []
    ) async throws(StoreError) -> Response {
        accepted.insert(token)
        var response = Response(json: try await document(of: token).adding(more), status: .created)
        response.headers[.location] = "/api/v1/assets/\(token)"
        return response
    }

    /// What could not be read and was left out, as a member of an answer.
    static func lost(_ reasons: [String]) -> (String, JSONValue) {
        ("lost", .array(reasons.map { .string($0) }))
    }

    private func add(_ list: DownloadList) async throws(StoreError) -> Response {
        let isHeld = list.hold ?? false
        let enqueued = try await store.enqueue(
            list.assets.map(\.request), isHeld: isHeld, next: list.next)
        let tokens = enqueued.tokens
        for token in tokens { accepted.insert(token) }
        if isHeld { releaseSoon(tokens) }
        return Response(
            json: [
                "assets": .array(tokens.map { AssetEntry(token: $0, server: serverURL).json }),
                "ready": JSONValue(enqueued.ready),
            ],
            status: .created)
    }

    /// Whoever asked for the hold may be gone.
    private func releaseSoon(_ tokens: [AssetToken]) {
        Task {
            try? await Task.sleep(for: Self.longestHold)
            await store.release(tokens)
        }
    }

    func edit(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        guard let body: EditBody = JSONBody.decode(call.request.body) else {
            return Problem.body(
                "The body may have \"name\", \"priority\", \"meta\", \"pinned\", \"limit_rate\", \"schedule\" and \"metered_ok\".",
                token
            ).response
        }
        try await store.edit(token, body.edit)
        return Response(json: try await document(of: token))
    }

    func importing(_ call: APICall) async throws(StoreError) -> Response {
        let body: ImportBody? = JSONBody.decode(call.request.body)
        guard let body, FilePath(body.path).isAbsolute, body.selection.isSound else {
            return Problem.body(
                "The body must name an absolute \"path\"; what it says of renditions is as for a download."
            ).response
        }
        do throws(StoreError) {
            let added = try await store.importing(
                FilePath(body.path), name: body.name, selection: body.selection)
            let document = try await document(of: added.token).adding([Self.lost(added.lost)])
            return Response(json: document, status: .created)
        } catch {
            // A path that can't be read is what is wrong with the request, not with the server.
            guard case .file(.open, _, _) = error.code else { throw error }
            var problem = error.problem()
            problem.status = .unprocessableContent
            return problem.response
        }
    }

    func verify(_ call: APICall) async throws(StoreError) -> Response {
        Response(json: VerificationDocument(try await store.verify(call.token)).json)
    }

    func repair(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        try await store.repair(token)
        accepted.insert(token)
        return Response(json: try await document(of: token), status: .accepted)
    }

    func storage() async throws(StoreError) -> Response {
        let store = store
        let use = try await blocking { _ throws(StoreError) in try store.storage() }
        return Response(json: StorageDocument(use).json)
    }

    func prune(_ call: APICall) async throws(StoreError) -> Response {
        guard let body: PruneBody = JSONBody.decode(call.request.body), body.classes != .some(nil) else {
            return Problem.body("The body may have \"dry_run\", \"free\" (bytes) and \"evict\".").response
        }
        let report = try await store.prune(
            freeing: body.free ?? 0, body.classes ?? nil, isDryRun: body.dryRun ?? false)
        return Response(json: PruneDocument(report, isDryRun: body.dryRun ?? false).json)
    }
}

/// The body of `PATCH /assets/{token}`.
private struct EditBody: Decodable {
    var name: String?
    var priority: Int?
    var meta: [String: String]?
    var pinned: Bool?
    var limitRate: UInt64?
    var schedule: Schedule?
    var meteredOk: Bool?

    var edit: AssetEdit {
        var edit = AssetEdit()
        (edit.name, edit.priority, edit.meta, edit.isPinned) = (name, priority, meta, pinned)
        (edit.rateLimit, edit.schedule, edit.isMeteredOK) = (limitRate, schedule, meteredOk)
        return edit
    }
}

/// The body of `POST /storage/prune`.
struct PruneBody: Codable {
    var dryRun: Bool?
    /// Bytes.
    var free: UInt64?
    /// Names of classes.
    var evict: [String]?

    /// What may go; `nil` within for a name that is unknown.
    var classes: Set<EvictionClass>?? {
        evict.map { names in EvictionClass.set(names.isEmpty ? "none" : names.joined(separator: ",")) }
    }
}

/// Bodies of requests.
enum JSONBody {
    /// Reads a JSON object; no body at all counts as an empty one. `nil` when it does not fit the type.
    static func decode<T: Decodable>(_ bytes: [UInt8]) -> T? {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try? decoder.decode(T.self, from: Data(bytes.isEmpty ? Array("{}".utf8) : bytes))
    }
}

extension Problem {
    /// A `since` that names no event.
    static var since: Problem {
        Problem(
            status: .badRequest, type: "since", detail: "\"since\" must be the id of an event, or 0.")
    }

    /// An `expiring` that is no length of time.
    static var expiring: Problem {
        Problem(
            status: .badRequest, type: "expiring",
            detail: "\"expiring\" must be a length of time such as 3d, 48h or 3600.")
    }

    /// A body that is not what the operation wants.
    static func body(_ detail: String, _ token: AssetToken? = nil) -> Problem {
        Problem(status: .badRequest, type: "body", detail: detail, token: token)
    }
}
