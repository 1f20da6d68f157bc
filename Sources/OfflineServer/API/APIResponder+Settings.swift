internal import AssetStore
internal import HTTPDaemon

/// What the engine keeps to.
extension APIResponder {
    func showSettings() async throws(StoreError) -> Response {
        Response(json: SettingsDocument(await store.policy).json)
    }

    func changeSettings(_ call: APICall) async throws(StoreError) -> Response {
        let body: SettingsBody? = JSONBody.decode(call.request.body)
        guard let body, body.isSound else {
            return Problem.body(
                "The body may have \"max_downloads\" and \"transfers\" (1 to 64), \"limit_rate\" and \"limit_rate_per_host\" (bytes a second, 0 or null for no limit), \"schedule\", \"metered_ok\" and \"metered_interfaces\"."
            ).response
        }
        await store.adopt(body.applied(to: await store.policy))
        return try await showSettings()
    }
}

/// The answer of `GET /settings`.
struct SettingsDocument {
    private let policy: EnginePolicy

    init(_ policy: EnginePolicy) { self.policy = policy }

    var json: JSONValue { .object(members) }

    /// The settings in their order.
    var members: [(String, JSONValue)] {
        [
            ("max_downloads", JSONValue(policy.maximumDownloads)),
            ("transfers", JSONValue(policy.transfersPerAsset)),
            ("limit_rate", JSONValue(policy.rateLimit.map { Int64(clamping: $0) })),
            ("limit_rate_per_host", JSONValue(policy.rateLimitPerHost.map { Int64(clamping: $0) })),
            ("schedule", .string(policy.schedule.description)), ("metered_ok", .bool(policy.mayUseMetered)),
            ("metered_interfaces", .array(policy.meteredInterfaces.map { .string($0) })),
        ]
    }
}

/// The body of `PATCH /settings`; what is not there stays.
struct SettingsBody: Decodable {
    var maxDownloads: Int?
    var transfers: Int?
    var limitRate: UInt64?
    var limitRatePerHost: UInt64?
    var schedule: Schedule?
    var meteredOk: Bool?
    var meteredInterfaces: [String]?

    private enum CodingKeys: CodingKey {
        case maxDownloads, transfers, limitRate, limitRatePerHost, schedule, meteredOk, meteredInterfaces
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        maxDownloads = try members.decodeIfPresent(Int.self, forKey: .maxDownloads)
        transfers = try members.decodeIfPresent(Int.self, forKey: .transfers)
        limitRate = try members.decodeRate(forKey: .limitRate)
        limitRatePerHost = try members.decodeRate(forKey: .limitRatePerHost)
        schedule = try members.decodeIfPresent(Schedule.self, forKey: .schedule)
        meteredOk = try members.decodeIfPresent(Bool.self, forKey: .meteredOk)
        meteredInterfaces = try members.decodeIfPresent([String].self, forKey: .meteredInterfaces)
    }

    /// Whether an engine can keep to it.
    var isSound: Bool {
        [maxDownloads, transfers].allSatisfy { (1...64).contains($0 ?? 1) }
            && [limitRate, limitRatePerHost].allSatisfy { $0?.isByteCount != false }
    }

    func applied(to policy: EnginePolicy) -> EnginePolicy {
        var policy = policy
        if let maxDownloads { policy.maximumDownloads = maxDownloads }
        if let transfers { policy.transfersPerAsset = transfers }
        if let limitRate { policy.rateLimit = limitRate == 0 ? nil : limitRate }
        if let limitRatePerHost { policy.rateLimitPerHost = limitRatePerHost == 0 ? nil : limitRatePerHost }
        if let schedule { policy.schedule = schedule }
        if let meteredOk { policy.mayUseMetered = meteredOk }
        if let meteredInterfaces { policy.meteredInterfaces = meteredInterfaces }
        return policy
    }
}

extension KeyedDecodingContainer {
    /// A limit in bytes a second, as a change names it: 0 for none, and null, too, by which answers tell that there is
    /// none; `nil` when it is not there, so that it stays.
    func decodeRate(forKey key: Key) throws -> UInt64? {
        guard contains(key) else { return nil }
        return try decodeIfPresent(UInt64.self, forKey: key) ?? 0
    }
}
