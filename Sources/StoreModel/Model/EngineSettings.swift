internal import FoundationEssentials
internal import HLSPlaylist
internal import HTTPTypes
internal import SystemPackage
internal import Transfers

/// The content of a store's `config.json`. Members that are not there have their usual values; unknown ones are
/// refused (`SettingsShape`).
package struct EngineSettings: Codable, Sendable {
    /// The services that are called for events.
    package var hooks: [Hook] = []
    /// The link resolver, which gives a fresh address when an origin refuses an old one.
    package var linkResolver: ExternalService?
    /// The limits of the store's size, and the order of eviction.
    package var storage = StoragePolicy()
    /// The key providers, in the order in which they are asked.
    package var keyProviders: [KeyProviderSettings] = []

    /// How many assets download at once; 1 to 64.
    package var maximumDownloads: Int?
    /// Transfers that one asset, and one host, may have at once; 1 to 64.
    package var transfersPerAsset: Int?
    /// Bytes a second for all downloads together.
    package var rateLimit: UInt64?
    /// The limit for downloads from one origin, in bytes per second.
    package var rateLimitPerHost: UInt64?
    /// The times of day at which downloads run.
    package var schedule: Schedule?
    /// Whether downloads run on a metered connection.
    package var mayUseMetered: Bool?
    /// Metered network interfaces; a name that ends with `*` stands for all names with that beginning.
    package var meteredInterfaces: [String] = []
    /// Whether plays are logged.
    package var logsPlays = true
    /// The bucket for media; `nil` for the store's folder.
    package var media: MediaSettings?
    /// The URL of the PostgreSQL database that has the catalog; `nil` for a file in the store's folder.
    package var catalog: String?
    /// The URL of this node for the other nodes of a shared store.
    package var nodeURL: String?

    /// A service that is called for events.
    package struct Hook: Codable, Sendable {
        /// States, or kinds of events (`added`, `removed`, `changed`); all when empty.
        package var on: [String]
        /// The service to call.
        package var service: ExternalService

        package init(on: [String] = [], service: ExternalService) {
            self.on = on
            self.service = service
        }

        /// Reads a hook: `on`, and `command` or `url`.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            on = try container.decodeIfPresent([String].self, forKey: .on) ?? []
            service = try ExternalService(from: decoder)
        }

        /// Writes the form that `init(from:)` reads.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(on, forKey: .on)
            try service.encode(to: encoder)
        }

        private enum CodingKeys: String, CodingKey { case on }

        /// Whether it is called for an event.
        package func concerns(_ event: AssetEvent) -> Bool {
            on.isEmpty
                || on.contains(event.kind == .state ? event.state?.rawValue ?? "" : event.kind.rawValue)
        }
    }

    /// The usual settings.
    package init() {}

    /// Reads settings; missing ones get their defaults.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hooks = try container.decodeIfPresent([Hook].self, forKey: .hooks) ?? []
        linkResolver = try container.decodeIfPresent(ExternalService.self, forKey: .linkResolver)
        storage = try container.decodeIfPresent(StoragePolicy.self, forKey: .storage) ?? StoragePolicy()
        keyProviders = try container.decodeIfPresent([KeyProviderSettings].self, forKey: .keyProviders) ?? []
        maximumDownloads = try container.decodeIfPresent(Int.self, forKey: .maximumDownloads)
        transfersPerAsset = try container.decodeIfPresent(Int.self, forKey: .transfersPerAsset)
        rateLimit = try container.decodeIfPresent(UInt64.self, forKey: .rateLimit)
        rateLimitPerHost = try container.decodeIfPresent(UInt64.self, forKey: .rateLimitPerHost)
        schedule = try container.decodeIfPresent(Schedule.self, forKey: .schedule)
        mayUseMetered = try container.decodeIfPresent(Bool.self, forKey: .mayUseMetered)
        meteredInterfaces = try container.decodeIfPresent([String].self, forKey: .meteredInterfaces) ?? []
        logsPlays = try container.decodeIfPresent(Bool.self, forKey: .logsPlays) ?? true
        media = try container.decodeIfPresent(MediaSettings.self, forKey: .media)
        catalog = try container.decodeIfPresent(String.self, forKey: .catalog)
        nodeURL = try container.decodeIfPresent(String.self, forKey: .nodeURL)
    }

    private enum CodingKeys: String, CodingKey {
        case catalog, hooks, media, schedule, storage
        case nodeURL = "node_url"
        case maximumDownloads = "max_downloads"
        case transfersPerAsset = "transfers"
        case rateLimit = "limit_rate"
        case rateLimitPerHost = "limit_rate_per_host"
        case mayUseMetered = "metered_ok"
        case meteredInterfaces = "metered_interfaces"
        case logsPlays = "log_plays"
        case linkResolver = "link_resolver"
        case keyProviders = "key_providers"
    }

}

/// A service of the user's: a program, which gets JSON on its standard input, or a URL, which gets it by POST.
package struct ExternalService: Codable, Sendable {
    /// The program and its arguments.
    package var command: [String]?
    /// An http or https URL.
    package var url: String?

    package init(command: [String]? = nil, url: String? = nil) {
        self.command = command
        self.url = url
    }
}
