package import AssetStore

/// The answer of `GET /settings`.
package struct SettingsDocument {
    private let policy: EnginePolicy

    package init(_ policy: EnginePolicy) { self.policy = policy }

    package var json: JSONValue { .object(members) }

    /// The settings in their order.
    package var members: [(String, JSONValue)] {
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
