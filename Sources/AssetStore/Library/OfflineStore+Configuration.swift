extension OfflineStore {
    /// The limits of an engine, its key providers and its clock. A limit that is `nil` is that of the store's settings.
    ///
    /// ```swift
    /// var configuration = OfflineStore.Configuration()
    /// configuration.maximumDownloads = 2
    /// configuration.rateLimit = 2_000_000
    /// let store = try await OfflineStore.open(at: folder, configuration: configuration)
    /// ```
    public struct Configuration: Sendable {
        /// The largest number of assets that download at the same time, by default 3.
        public var maximumDownloads: Int?
        /// The largest number of transfers of one asset, and to one host, at the same time, by default 16.
        public var transfersPerAsset: Int?
        /// The conditions under which a player's request may go to the origin of an asset that is not downloading.
        public var originFallback = OriginFallback.never
        /// The rate limit of all downloads together, in bytes per second, by default none.
        public var rateLimit: UInt64?
        /// The rate limit of the downloads from one origin, in bytes per second, by default none.
        public var rateLimitPerHost: UInt64?
        /// The times of day at which downloads run, by default all day.
        public var schedule: Schedule?
        /// Whether downloads run on a metered connection, by default not.
        public var mayUseMetered: Bool?
        /// Tells whether the connection is metered (paid by volume); `nil` asks the system.
        public var isMetered: (@Sendable () -> Bool)?
        /// The pauses after which failed downloads are tried again by themselves, if the failure may pass; by default
        /// they are not. A pause begins with the failure; the next one follows if nothing was stored in the meantime.
        public var retryPauses: [Duration] = []
        /// The pauses of `offline-server serve`: 5 and 15 minutes, 1, 4 and 12 hours.
        public static let usualRetryPauses: [Duration] = [300, 900, 3600, 14_400, 43_200].map { .seconds($0) }
        /// The conditions under which downloads go on.
        package var conditions = EngineConditions()
        /// The limits of the store's size, and the order of eviction.
        public var storage: StoragePolicy?
        /// The bucket for media; `nil` for the store's folder.
        package var media: BucketMedia.Settings?
        /// The source of the current time.
        package var clock: any WallClock = SystemWallClock()
        /// The providers that are asked for content keys, before those in the store's settings.
        public var keyProviders: [any KeyProvider] = []
        /// The PostgreSQL database with the catalog; `nil` for a file in the store's folder.
        package var catalog: PostgresAddress?
        /// This node's ownership of the store; `nil` if the store is not shared.
        package var ownership: StoreOwnership? {
            didSet { if let ownership { clock = ownership } }
        }
        /// The lock of the store's folder, if the process has it already.
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
