package import StoreReading

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

extension SettingsDocument {
    /// The schemas of it in the OpenAPI document.
    enum Schema: Described {
        static let schemas: [(String, JSONValue)] = [
            ("Settings", settings)
        ]

        private static let settings = whole([
            ("max_downloads", integer.said("Assets that are downloaded at a time.")),
            ("transfers", integer.said("Transfers at a time for one asset, and one host.")),
            ("limit_rate", integerOrNull.said("Bytes a second, all downloads together.")),
            ("limit_rate_per_host", integerOrNull.said("Bytes a second from one origin.")),
            ("schedule", text.said("Times of day, local, or always.")),
            ("metered_ok", flag.said("Whether downloads run on a metered connection.")),
            ("metered_interfaces", texts.said("Metered network interfaces.")),
            (
                "hooks",
                list(
                    whole([
                        ("on", texts.said("States and event types; empty for all events.")),
                        ("runs", textOrNull.said("The program's file, or the host of the URL.")),
                    ])
                ).said("The programs and URLs that receive events; only config.json can change them.")
            ),
        ])
    }
}
