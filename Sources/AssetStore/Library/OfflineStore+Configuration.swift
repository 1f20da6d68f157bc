extension OfflineStore {
    /// The limits of an engine, its key providers and its clock.
    ///
    /// ```swift
    /// var configuration = OfflineStore.Configuration()
    /// configuration.maximumDownloads = 2
    /// configuration.rateLimit = 2_000_000
    /// let store = try await OfflineStore.open(at: folder, configuration: configuration)
    /// ```
    public struct Configuration: Sendable {
        /// How many assets download at once; as the store's settings have it when `nil`, else 3.
        public var maximumDownloads: Int?
        /// Transfers that one asset, and one host, may have at once, at most; as the store's settings have it when `nil`,
        /// else 16.
        public var transfersPerAsset: Int?
        /// The conditions under which a player's request may go to the origin of an asset that is not downloading.
        public var originFallback = OriginFallback.never
        /// Bytes per second for all downloads together; as the store's settings have it when `nil`, else no limit.
        public var rateLimit: UInt64?
        /// Bytes per second for what comes from one origin; as the store's settings have it when `nil`, else no limit.
        public var rateLimitPerHost: UInt64?
        /// The times of day at which downloads go on; as the store's settings have it when `nil`, else all day.
        public var schedule: Schedule?
        /// Whether downloads go on while the connection costs by volume; as the store's settings have it when `nil`,
        /// else not.
        public var mayUseMetered: Bool?
        /// Tells whether the connection costs by volume; with `nil` the system is asked.
        public var isMetered: (@Sendable () -> Bool)?
        /// The conditions under which downloads go on.
        package var conditions = EngineConditions()
        /// How much may be stored, and what is evicted for room; as the store's settings have it when `nil`.
        public var storage: StoragePolicy?
        /// The bucket in which media lie; `nil` for the store's folder.
        package var media: BucketMedia.Settings?
        /// The source of the current time.
        package var clock: any WallClock = SystemWallClock()
        /// The providers that are asked for content keys, before those in the store's settings.
        public var keyProviders: [any KeyProvider] = []
        /// The PostgreSQL database that has the catalog; a file in the store's folder has it when `nil`.
        package var catalog: PostgresAddress?
        /// The store, as long as it is this node's; `nil` where nobody else works on it.
        package var ownership: StoreOwnership? {
            didSet { if let ownership { clock = ownership } }
        }
        /// The lock of the store's folder, for a process that has it already.
        package var lock: StoreLock?
        /// Waits for a number of seconds before a retry.
        package var pause: @Sendable (Double) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        }

        /// A closure that is called before each retry. It is called on any thread and must not block.
        package var onRetry: @Sendable (RetryWait) -> Void = { _ in }

        /// The usual settings.
        public init() {}

        var pauseAndTell: RetryPause { .telling(onRetry, pause) }
    }
}
