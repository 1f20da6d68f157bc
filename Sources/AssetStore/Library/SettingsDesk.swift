internal import Locking
internal import SystemPackage

/// The outcome of reading the settings again, by the names of their keys.
package struct SettingsReload: Sendable, Equatable {
    /// The settings whose new values apply from now on.
    package var changed: [String] = []
    /// The settings that were changed in the file and apply after the next start of the engine.
    package var waiting: [String] = []
    /// The settings that were changed in the file and have no effect, since the engine was started with other values
    /// for them.
    package var overruled: [String] = []

    /// Makes an empty report.
    package init() {}
}

/// The settings in force: those of the store's file, and the values that were given at the start or adopted later.
package final class SettingsDesk: Sendable {
    /// The settings as they were last read.
    private let settings: Lock<EngineSettings>
    private let path: FilePath
    private let configuration: OfflineStore.Configuration
    private let connection: MeteredConnection
    private let keeper: StorageKeeper
    private let links: LinkRequests
    private let logsPlays: Lock<Bool>
    private let engine: DownloadEngine
    private let servers: PublishedServers
    private let upkeep: StoreUpkeep

    init(
        parts: StoreParts, configuration: OfflineStore.Configuration, servers: PublishedServers,
        upkeep: StoreUpkeep
    ) {
        settings = Lock(parts.settings)
        (path, connection, keeper) = (parts.paths.settings, parts.connection, parts.keeper)
        (links, engine, logsPlays) = (parts.context.healing.links, parts.engine, parts.logsPlays)
        self.configuration = configuration
        self.servers = servers
        self.upkeep = upkeep
    }

    /// The hooks of the settings.
    package var hooks: [EngineSettings.Hook] { settings.withLock(\.hooks) }

    /// Changes the policy of the engine, at once and until the engine ends.
    package func adopt(_ policy: EnginePolicy) async {
        connection.interfaces = policy.meteredInterfaces
        await engine.adopt(policy)
    }

    /// Reads the settings again and applies those that can change while an engine runs. A setting that is unchanged
    /// in the file stays as it is, even if `adopt` has changed it since.
    ///
    /// - Throws: `settings` if they can't be read; then nothing changes.
    package func reload() async throws(StoreError) -> SettingsReload {
        let new = try EngineSettings.read(path)
        let old = settings.withLock(\.self)
        var reload = SettingsReload()
        await adoptPolicy(old, new, reload: &reload)
        if old.storage != new.storage {
            if configuration.storage == nil {
                keeper.policy = new.storage
                try servers.publishPolicy()
                reload.changed.append("storage")
            } else {
                reload.overruled.append("storage")
            }
        }
        settings.withLock { $0 = new }
        if old.logsPlays != new.logsPlays {
            logsPlays.withLock { $0 = new.logsPlays }
            reload.changed.append("log_plays")
        }
        if Self.differ(old.hooks, new.hooks) {
            try upkeep.startHooks(new.hooks, replacing: true)
            reload.changed.append("hooks")
        }
        if Self.differ(old.linkResolver, new.linkResolver) {
            links.resolver = new.linkResolver
            reload.changed.append("link_resolver")
        }
        // Running downloads keep the providers with which they began.
        if Self.differ(old.keyProviders, new.keyProviders) { reload.waiting.append("key_providers") }
        if old.media != new.media {
            if configuration.media == nil {
                reload.waiting.append("media")
            } else {
                reload.overruled.append("media")
            }
        }
        for (name, isChanged) in [
            ("catalog", old.catalog != new.catalog), ("node_url", old.nodeURL != new.nodeURL),
        ] where isChanged { reload.waiting.append(name) }
        await engine.sync()
        return reload
    }

    private func adoptPolicy(
        _ old: EngineSettings, _ new: EngineSettings, reload: inout SettingsReload
    ) async {
        var policy = await engine.policy
        let now = EnginePolicy(new, configuration)
        func take(_ name: String, isChanged: Bool, isGiven: Bool, _ body: () -> Void) {
            guard isChanged else { return }
            if isGiven { return reload.overruled.append(name) }
            body()
            reload.changed.append(name)
        }
        take(
            "max_downloads", isChanged: old.maximumDownloads != new.maximumDownloads,
            isGiven: configuration.maximumDownloads != nil
        ) { policy.maximumDownloads = now.maximumDownloads }
        take(
            "transfers", isChanged: old.transfersPerAsset != new.transfersPerAsset,
            isGiven: configuration.transfersPerAsset != nil
        ) { policy.transfersPerAsset = now.transfersPerAsset }
        take("limit_rate", isChanged: old.rateLimit != new.rateLimit, isGiven: configuration.rateLimit != nil)
        {
            policy.rateLimit = now.rateLimit
        }
        take(
            "limit_rate_per_host", isChanged: old.rateLimitPerHost != new.rateLimitPerHost,
            isGiven: configuration.rateLimitPerHost != nil
        ) { policy.rateLimitPerHost = now.rateLimitPerHost }
        take("schedule", isChanged: old.schedule != new.schedule, isGiven: configuration.schedule != nil) {
            policy.schedule = now.schedule
        }
        take(
            "metered_ok", isChanged: old.mayUseMetered != new.mayUseMetered,
            isGiven: configuration.mayUseMetered != nil
        ) {
            policy.mayUseMetered = now.mayUseMetered
        }
        take("metered_interfaces", isChanged: old.meteredInterfaces != new.meteredInterfaces, isGiven: false)
        {
            policy.meteredInterfaces = now.meteredInterfaces
        }
        await engine.adopt(policy)
    }

    private static func differ<Value: Encodable>(_ left: Value, _ right: Value) -> Bool {
        (try? JSONText.encode(left)) != (try? JSONText.encode(right))
    }
}
