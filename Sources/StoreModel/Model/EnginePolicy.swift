/// The limits of an engine. They can be changed while it runs.
public struct EnginePolicy: Sendable, Equatable {
    /// How many assets download at once.
    public var maximumDownloads = 3
    /// The largest number of simultaneous transfers of one asset, and to one host; transfers that players wait for
    /// may be added.
    public var transfersPerAsset = 16
    /// The limit for all downloads together, in bytes per second; `nil` for no limit. Units that a player waits for
    /// are not limited.
    public var rateLimit: UInt64?
    /// The limit for downloads from one origin, in bytes per second; `nil` for no limit.
    public var rateLimitPerHost: UInt64?
    /// The times of day at which downloads run, unless an asset has times of its own.
    public var schedule = Schedule.always
    /// Whether downloads run on a metered connection.
    public var mayUseMetered = false
    /// Metered network interfaces; a name that ends with `*` stands for all names with that beginning.
    public var meteredInterfaces: [String] = []

    /// The usual policy.
    public init() {}
}

/// The conditions under which a player's request may go to the origin of an asset that is not downloading.
public enum OriginFallback: String, Sendable, CaseIterable {
    /// Never: a player's request then causes no network traffic.
    case never
    /// Only while the connection is not metered.
    case unmetered
    /// Always.
    case always
}
