package import StoreReading

/// The body of `PATCH /settings`; missing members stay unchanged.
package struct SettingsBody: Decodable {
    var maxDownloads: Int?
    var transfers: Int?
    package var limitRate: UInt64?
    var limitRatePerHost: UInt64?
    var schedule: Schedule?
    var meteredOk: Bool?
    var meteredInterfaces: [String]?

    private enum CodingKeys: CodingKey {
        case maxDownloads, transfers, limitRate, limitRatePerHost, schedule, meteredOk, meteredInterfaces
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        maxDownloads = try members.decodeIfPresent(Int.self, forKey: .maxDownloads)
        transfers = try members.decodeIfPresent(Int.self, forKey: .transfers)
        limitRate = try members.decodeRate(forKey: .limitRate)
        limitRatePerHost = try members.decodeRate(forKey: .limitRatePerHost)
        schedule = try members.decodeIfPresent(Schedule.self, forKey: .schedule)
        meteredOk = try members.decodeIfPresent(Bool.self, forKey: .meteredOk)
        meteredInterfaces = try members.decodeIfPresent([String].self, forKey: .meteredInterfaces)
    }

    /// Whether all values are in the range that the engine supports.
    package var isSound: Bool {
        [maxDownloads, transfers].allSatisfy { (1...64).contains($0 ?? 1) }
            && [limitRate, limitRatePerHost].allSatisfy { $0?.isByteCount != false }
    }

    package func applied(to policy: EnginePolicy) -> EnginePolicy {
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
    /// A limit in bytes a second: 0 or null means no limit, since answers use null; `nil` if the member is missing,
    /// which means no change.
    func decodeRate(forKey key: Key) throws -> UInt64? {
        guard contains(key) else { return nil }
        return try decodeIfPresent(UInt64.self, forKey: key) ?? 0
    }
}

extension SettingsBody {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("SettingsEdit", edit)
        ]

        private static let edit = open([
            ("max_downloads", integerOrNull(1...64).said("Assets at a time.")),
            ("transfers", integerOrNull(1...64).said("Transfers at a time for one asset, and one host.")),
            ("limit_rate", rate.said("Bytes a second, all downloads together; 0 or null for no limit.")),
            ("limit_rate_per_host", rate.said("Bytes a second from one origin; 0 or null for no limit.")),
            ("schedule", schedule.said("Times of day, local, such as 22:00-06:00; or always.")),
            ("metered_ok", flagOrNull.said("Whether downloads run on a metered connection, too.")),
            (
                "metered_interfaces",
                (["type": ["array", "null"], "items": text] as JSONValue).said(
                    "Metered network interfaces; a name that ends with * stands for all interfaces whose names begin like it."
                )
            ),
        ])
    }
}
