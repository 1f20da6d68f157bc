internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes
internal import SystemPackage

/// Assets: listing, making, showing, changing, importing, checking.
extension APIResponder {
    private static let pageSize = 100
    private static let largestPage = 1000
    private static let longestHold = Duration.seconds(2)

    func list(_ call: APICall) async throws(StoreError) -> Response {
        let query = call.query
        let names = query["state"] ?? ""
        let states = names.isEmpty ? [] : names.components(separatedBy: ",").map { AssetState(rawValue: $0) }
        guard !states.contains(nil) else { return Problem.state(names).response }
        guard let limit = Self.limit(query, usual: Self.pageSize) else { return Problem.limit.response }
        let before = query["before"].map { AssetToken($0) }
        if case .some(nil) = before { return Problem.before.response }
        guard let since = Self.since(query) else { return Problem.since.response }
        let expiring = query["expiring"].map { TimeSpan(argument: $0) }
        if case .some(nil) = expiring { return Problem.expiring.response }
        guard ["full", "summary", nil].contains(query["view"]) else { return Problem.view.response }
        let (assets, removals, last) = try await blocking { reader throws(StoreError) in
            let last = try reader.lastEvent()
            let removals = try reader.removals(since: before == nil ? since : 0)
            return (
                try reader.assets(
                    states: states.compactMap(\.self), before: before ?? nil, since: since > 0 ? since : nil,
                    expiring: expiring??.seconds, limit: limit), removals, last
            )
        }
        let wanted = query["tag"].map { tag in assets.filter { $0.tags.contains(tag) } } ?? assets
        store.watchFirst(assets)
        let list = AssetListDocument(
            assets: wanted, server: address(for: call), live: await store.liveFigures,
            next: assets.count == limit ? assets.last?.token : nil, lastEvent: last)
        return Response(
            json: list.json(isShort: query["view"] == "summary").adding([
                ("removed", .array(removals.tokens.map { .string($0.description) })),
                ("gap", .bool(removals.hasGap)),
            ]))
    }

    /// The event after which a query begins; 0 if it names none, `nil` if the value is not an event.
    static func since(_ query: QueryItems) -> Int64? {
        guard let text = query["since"] else { return 0 }
        return text.isDigits ? Int64(text) : nil
    }

    /// The largest number of assets in the answer; `nil` if the value is not such a number.
    private static func limit(_ query: QueryItems, usual: Int) -> Int? {
        guard let text = query["limit"] else { return usual }
        guard text.isDigits, let limit = Int(text), limit > 0 else { return nil }
        return min(limit, largestPage)
    }

    func show(_ call: APICall) async throws(StoreError) -> Response {
        let asset = try await assetDocument(of: call.token, for: call, isListed: false)
        let document = asset.json.bytes
        let headers: HTTPFields = [.contentType: MediaType.json, .cacheControl: "private, no-cache"]
        return Representation(size: nil, entityTag: asset.entityTag)
            .response(to: call.request, headers: headers, now: .now) { _ in .bytes(document) }
    }

    /// Answers with the request that would make an asset again.
    func showRequest(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        let request = try await blocking { reader throws(StoreError) in try reader.request(for: token) }
        var response = Response(json: [:])
        response.body = .bytes((try? DownloadBody.json(request)) ?? [])
        return response
    }

    /// The figures of assets that run, or that wait after a failure.
    func activity() async throws(StoreError) -> Response {
        Response(json: ActivityDocument(await store.liveFigures).json)
    }

    func add(_ call: APICall) async throws(StoreError) -> Response {
        guard let body = DownloadBody(call.request.body) else {
            guard let list = DownloadList(call.request.body) else {
                return Problem.body(DownloadBody.fault(in: call.request.body)).response
            }
            guard IdempotencyKey.of(call.request) == nil else { return Problem.keyOfMany.response }
            return try await add(list, for: call)
        }
        return try await add(once: body, for: call)
    }

    /// Makes an asset for a download request. If the client has sent the same idempotency key before, the answer is
    /// the asset of that request.
    private func add(once body: DownloadBody, for call: APICall) async throws(StoreError) -> Response {
        var body = body
        switch IdempotencyKey.of(call.request) {
        case .failure: return Problem.badKey.response
        case .success(let key):
            guard body.clientId == nil || body.clientId == key else { return Problem.twoKeys.response }
            body.clientId = key
        case nil: break
        }
        guard let id = body.clientId else { return try await add(body, for: call) }
        guard pending.begin(id) else { return Problem.pending.response }
        defer { pending.end(id) }
        return try await add(body, for: call)
    }

    private func add(_ body: DownloadBody, for call: APICall) async throws(StoreError) -> Response {
        // A held or strict request is answered after its stream was read, since it may be refused for what the stream
        // lacks.
        guard body.hold ?? body.strict ?? false else {
            let entered = try await entries.enqueue(body.request, in: store)
            accepted.insert(entered.token)
            return try await created(
                entered.token, [ExistingAsset.member(entered.existing)], for: call, isNew: !entered.isRepeated
            )
        }
        let isHeld = body.hold ?? false
        let added = try await store.intake.add(body.request, isHeld: isHeld, queuesWhenBusy: isHeld)
        accepted.insert(added.token)
        if isHeld { releaseSoon([added.token]) }
        return try await created(
            added.token, [ExistingAsset.member(added.existing)], for: call, isNew: !added.isRepeated)
    }

    private func created(
        _ token: AssetToken, _ more: [(String, JSONValue)], for call: APICall, isNew: Bool = true
    ) async throws(StoreError) -> Response {
        let document = try await document(of: token, for: call).adding(more)
        var response = Response(json: document, status: isNew ? .created : .ok)
        response.headers[.location] = "\(call.request.prefix)/api/v1/assets/\(token)"
        return response
    }

    private func add(_ list: DownloadList, for call: APICall) async throws(StoreError) -> Response {
        let isHeld = list.hold ?? false
        let enqueued = try await store.intake.enqueue(
            list.assets.map(\.request), isHeld: isHeld, next: list.next)
        let tokens = enqueued.tokens
        for token in tokens { accepted.insert(token) }
        if isHeld { releaseSoon(tokens) }
        let server = address(for: call)
        return Response(
            json: [
                "assets": .array(
                    tokens.map {
                        AssetEntry(token: $0, server: server, existing: enqueued.existing[$0]).json
                    }),
                "ready": JSONValue(enqueued.ready),
            ],
            // With `next`, all requested assets may exist already.
            status: tokens.isEmpty ? .ok : .created)
    }

    /// Releases held assets after `longestHold`, since the client that asked for the hold may be gone.
    private func releaseSoon(_ tokens: [AssetToken]) {
        Task(executorPreference: WorkThreads.housekeeping) {
            try? await Task.sleep(for: Self.longestHold)
            await store.intake.release(tokens)
        }
    }

    func edit(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        guard let body: EditBody = JSONBody.decode(call.request.body),
            body.name.map(AssetName.isName) != false,
            body.limitRate?.isByteCount != false, body.hasSoundAccess
        else {
            return Problem.body(
                "The body may have \"name\" (1 to \(AssetName.longest) characters, and not only spaces), \"priority\", \"meta\", \"tags\", \"artwork\", \"pinned\", \"limit_rate\", \"schedule\", \"metered_ok\" and how the origin is asked: \"headers\", \"headers_for\", \"cookies\", \"user_agent\", \"proxy\", \"ca\".",
                token
            ).response
        }
        if let artwork = body.artwork { try await store.sources.changePoster(of: token, to: artwork) }
        try await store.control.edit(token, body.edit)
        try await store.sources.changeAccess(of: token, body.accessEdit)
        return Response(json: try await document(of: token, for: call))
    }

    func importing(_ call: APICall) async throws(StoreError) -> Response {
        let body: ImportBody? = JSONBody.decode(call.request.body)
        guard let body, FilePath(body.path).isAbsolute, body.selection.isSound,
            body.name.map(AssetName.isName) != false
        else {
            let usual = JSONFault(.conflict("\"path\" must be absolute"), path: ["path"])
            return Problem.body(body?.bitrateConflict ?? usual).response
        }
        let added = try await store.imports.add(
            FilePath(body.path), name: body.name, selection: body.selection)
        return try await created(added.token, [], for: call)
    }

    func verify(_ call: APICall) async throws(StoreError) -> Response {
        Response(json: VerificationDocument(try await store.repairer.verify(call.token)).json)
    }

    func repair(_ call: APICall) async throws(StoreError) -> Response {
        let token = try call.token
        guard let body: RepairBody = JSONBody.decode(call.request.body) else {
            return Problem.body("The body may have \"quick\" and \"accept_changes\".", token).response
        }
        if body.acceptChanges == true { try await store.sources.acceptChanges(of: token) }
        let isMending = try await store.repairer.repair(token, isReading: body.quick != true)
        accepted.insert(token)
        let asset = try await document(of: token, for: call)
        return Response(json: asset.adding([("mending", .bool(isMending))]), status: .accepted)
    }

    func storage(_ call: APICall) async throws(StoreError) -> Response {
        guard let limit = Self.limit(call.query, usual: .max) else { return Problem.limit.response }
        let store = store
        let use = try await blocking { _ throws(StoreError) in try store.housekeeper.storage(limit: limit) }
        return Response(json: StorageDocument(use).json)
    }

    func prune(_ call: APICall) async throws(StoreError) -> Response {
        guard let body: PruneBody = JSONBody.decode(call.request.body),
            body.free?.isByteCount != false
        else {
            return Problem.body("The body may have \"dry_run\", \"free\" (bytes) and \"evict\".").response
        }
        let isDryRun = body.dryRun ?? false
        let report = try await store.housekeeper.prune(
            freeing: body.free ?? 0, body.evict.map(Set.init), isDryRun: isDryRun)
        return Response(json: PruneDocument(report, isDryRun: isDryRun).json)
    }
}

extension OfflineStore {
    /// Watches the files of the first complete assets of a list that a client reads.
    func watchFirst(_ assets: [Asset]) {
        watch(assets.lazy.filter { $0.state == .complete }.prefix(32).map(\.token))
    }
}

extension String {
    /// Whether the text is a number for a query: Swift's parser would accept a sign, too.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Whether the catalog can store the text: it stores no NUL.
    var isStorable: Bool { !utf8.contains(0) }
}
