internal import APIDocuments
internal import AssetStore
internal import Foundation
internal import HTTPTypes
internal import Locking
internal import OfflineServer
internal import SystemPackage
internal import Transfers

/// Asks the server that runs on a store, through its API.
struct EngineClient: Sendable {
    let root: FilePath
    /// The server's address.
    let url: String
    private let token: String
    let loop: TransferLoop
    /// The figures of the last answer, and the time until which they are used again.
    let known = Lock<(figures: [AssetToken: LiveFigures], until: ContinuousClock.Instant)?>(nil)

    /// The server that works on the store now. A server that is starting is waited for.
    static func find(_ root: FilePath) async throws -> EngineClient? {
        let reader = try StoreReader(root: root)
        for _ in 0..<50 {
            guard let engine = reader.engine else { return nil }
            if let url = engine.url, let token = APIToken.existing(reader.paths.apiToken) {
                return EngineClient(root: root, url: url, token: token, loop: try TransferLoop())
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        return nil
    }

    /// Adds an asset; its download waits for `act("resume")`.
    func add(_ request: AssetRequest) async throws -> AddedAsset {
        let answer = try await post("assets", body: try DownloadBody.json(request, isHeld: true))
        let (token, lost) = try added(answer)
        let activity = answer["activity"] as? [String: Any]
        let failure = activity?["last_error"] as? [String: Any]
        return AddedAsset(
            token: token, lost: lost, existing: Self.token("existing", in: answer),
            trouble: failure?["message"] as? String)
    }

    private static func token(_ name: String, in object: [String: Any]) -> AssetToken? {
        (object[name] as? String).flatMap { AssetToken($0) }
    }

    private func added(_ answer: [String: Any]) throws -> (AssetToken, lost: [String]) {
        guard let token = Self.token("token", in: answer) else {
            throw CommandFailure(message: "the server at \(url) gave an answer without a token")
        }
        return (token, answer["lost"] as? [String] ?? [])
    }

    /// Enters assets to be resolved when their turn in the queue comes; their downloads wait for `resume`.
    ///
    /// - Parameter next: how many of the list to add, counting those that exist; `nil` adds all.
    func enqueue(_ requests: [AssetRequest], next: Int?) async throws -> Enqueued {
        var enqueued = Enqueued()
        var missing = next
        for some in try Self.portions(of: requests) where missing ?? 1 > 0 {
            let body = try DownloadList.json(some, isHeld: true, next: missing)
            let answer = try await post("assets", body: body)
            for entry in answer["assets"] as? [[String: Any]] ?? [] {
                guard let token = Self.token("token", in: entry) else { continue }
                enqueued.tokens.append(token)
                enqueued.existing[token] = Self.token("existing", in: entry)
            }
            enqueued.ready += answer["ready"] as? Int ?? 0
            missing = missing.map { $0 - (answer["ready"] as? Int ?? 0) }
        }
        return enqueued
    }

    /// The requests in groups that fit into a body that the server accepts.
    private static func portions(of requests: [AssetRequest]) throws -> [ArraySlice<AssetRequest>] {
        var portions: [ArraySlice<AssetRequest>] = []
        var rest = [requests[...]]
        while let some = rest.popLast() {
            if try some.count == 1 || DownloadList.json(some, isHeld: true).count <= longestBody {
                portions.append(some)
            } else {
                let middle = some.startIndex + some.count / 2
                rest += [some[middle...], some[..<middle]]
            }
        }
        return portions
    }

    private static let longestBody = 1_000_000
    /// Tokens that one request may name.
    private static let largestGroup = 20_000

    /// Asks for an action on an asset; returns the answer's JSON object.
    func act(_ verb: String, on asset: AssetToken) async throws -> [String: Any] {
        try await post("assets/\(asset)/\(verb)", body: Array("{}".utf8))
    }

    /// Pauses, resumes, cancels or removes assets.
    func perform(_ action: AssetAction, on tokens: [AssetToken], purge: Bool) async throws -> ControlReport {
        try await control(tokens) { ControlBody(action: action.rawValue, tokens: $0, purge: purge) }
    }

    /// Pins or unpins assets.
    func pin(_ tokens: [AssetToken], _ isPinned: Bool) async throws -> ControlReport {
        try await control(tokens) { ControlBody(action: isPinned ? "pin" : "unpin", tokens: $0) }
    }

    /// Gives assets a priority.
    func prioritize(_ tokens: [AssetToken], _ priority: Int) async throws -> ControlReport {
        try await control(tokens) { ControlBody(action: "prioritize", tokens: $0, priority: priority) }
    }

    /// Carries out one action on assets, in groups as large as one request may name.
    private func control(
        _ tokens: [AssetToken], _ body: ([String]) -> ControlBody
    ) async throws -> ControlReport {
        var report = ControlReport()
        for start in stride(from: 0, to: tokens.count, by: Self.largestGroup) {
            let some = tokens[start..<min(start + Self.largestGroup, tokens.count)]
            let content = try JSONBody.encode(body(some.map(\.description)))
            report.add(ControlReport(try await post("control", body: content)))
        }
        return report
    }

    /// Adds and removes renditions; returns the answer's JSON object.
    func change(_ tracks: TracksBody, of asset: AssetToken) async throws -> [String: Any] {
        try await ask("assets/\(asset)/tracks", tracks)
    }

    func verify(_ asset: AssetToken) async throws -> Verification {
        let answer = try await act("verify", on: asset)
        var result = Verification(
            token: asset, checked: answer["checked"] as? Int ?? 0,
            missing: answer["missing"] as? [String] ?? [],
            damaged: answer["damaged"] as? [String] ?? [],
            undecodable: answer["undecodable"] as? [String] ?? [])
        result.objects = answer["objects"] as? Int ?? 0
        result.mediaPlace = answer["media_place"] as? String
        result.copies = answer["copies"] as? [String] ?? []
        result.returned = answer["returned"] as? [String] ?? []
        result.health = (answer["health"] as? String).flatMap(Health.Level.init) ?? result.health
        return result
    }

    /// The finding of one check of the server's own checkup; `nil` if the check has nothing to report on.
    func finding(of check: String) async throws -> StoreCheckup.Finding? {
        let (_, body) = try await fetched(request("doctor", .get))
        let answer = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
        let findings = answer?["findings"] as? [[String: Any]] ?? []
        return findings.first { $0["check"] as? String == check }.map {
            StoreCheckup.Finding(
                check: check, isFine: $0["ok"] as? Bool ?? false, detail: $0["detail"] as? String ?? "")
        }
    }

    func importing(
        _ path: FilePath, name: String?, selection: Selection
    ) async throws -> (AssetToken, lost: [String]) {
        try added(try await ask("import", ImportBody(path: path.string, name: name, selection)))
    }

    /// Sends a change; returns the answer's JSON object.
    func ask(_ path: String, _ body: some Encodable) async throws -> [String: Any] {
        try await post(path, body: try JSONBody.encode(body))
    }

    /// Sends a change.
    func send(_ path: String, body: [UInt8]) async throws { _ = try await post(path, body: body) }

    /// Makes the server write the counts of keys that were handed out to the catalog.
    func countKeys(of asset: AssetToken) async {
        var request = self.request("assets/\(asset)/license", .get)
        request.stallTimeout = .seconds(2)
        _ = try? await loop.fetch(request)
    }

    /// Records damage that a reader has found: in the catalog, or by having the server that works on the store check
    /// the same assets.
    static func tellDiscoveries(of reader: StoreReader) async {
        let tokens = reader.noteDiscoveries()
        guard !tokens.isEmpty, let client = try? await find(reader.paths.root) else { return }
        for token in tokens { _ = try? await client.loop.fetch(client.request("assets/\(token)", .get)) }
        await client.close()
    }

    /// A request for a path of the server.
    ///
    /// - Parameter root: the URL's part before the path.
    func request(
        _ path: String, _ method: TransferRequest.Method, below root: String = "api/v1/"
    ) -> TransferRequest {
        var request = TransferRequest(url: "\(url)/\(root)\(path)", method: method)
        request.headerFields[.authorization] = "Bearer \(token)"
        request.allowsPrivateAddresses = true
        return request
    }

    private func post(_ path: String, body: [UInt8]) async throws -> [String: Any] {
        try await change(path, .post(body: body))
    }

    /// Sends a change; returns the answer's JSON object.
    func change(_ path: String, _ method: TransferRequest.Method) async throws -> [String: Any] {
        var request = self.request(path, method)
        request.headerFields[.contentType] = MediaType.json
        request.maximumBodyBytes = 64 << 20
        // A server that verifies a large asset may take long before the first byte of the answer.
        request.stallTimeout = .seconds(24 * 3600)
        let (result, bytes) = try await fetched(request)
        let object = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
        guard (200..<300).contains(result.response.status) else {
            var failure = Self.failure(result.response.status, object)
            if object["type"] is String { failure.document = String(decoding: bytes, as: UTF8.self) }
            throw failure
        }
        return object
    }

    private func fetched(_ request: TransferRequest) async throws -> (TransferResult, [UInt8]) {
        do throws(TransferError) {
            return try await loop.fetch(request)
        } catch {
            throw CommandFailure(
                message:
                    "the server at \(url) ended before it answered; `offline-server status` shows the current state"
            )
        }
    }

    private static func failure(_ status: Int, _ problem: [String: Any]) -> CommandFailure {
        let detail = problem["detail"] as? String ?? "the server answered \(status)"
        let usual = status == 404 ? CommandFailure.noSuchAsset : CommandFailure.failed
        let code = problem["code"] as? String
        return CommandFailure(message: detail, status: code.map { CommandFailure.status(of: $0) } ?? usual)
    }

    func close() async { await loop.stop() }
}
