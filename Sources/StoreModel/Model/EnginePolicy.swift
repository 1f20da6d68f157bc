/// The limits of an engine. They can be changed while it runs.
public struct EnginePolicy: Sendable, Equatable {
    /// How many assets download at once.
    public var maximumDownloads = 3
    /// Transfers that one asset, and one host, may have at once, at most; what players wait for may come on top.
    public var transfersPerAsset = 16
    /// Bytes a second for all downloads together; `nil` is no limit. What a player waits for is not held back.
    public var rateLimit: UInt64?
    /// Bytes a second for what comes from one origin; `nil` is no limit.
    public var rateLimitPerHost: UInt64?
    /// The times at which downloads run, unless an asset has times of its own.
    public var schedule = Schedule.always
    /// Whether downloads go on while the connection costs by volume.
    public var mayUseMetered = false
    /// Network interfaces that cost by volume; a name that ends with `*` stands for all that begin so.
    public var meteredInterfaces: [String] = []

    /// The usual policy.
    public init() {}
}

/// The conditions under which a player's request may go to the origin of an asset that is not downloading.
public enum OriginFallback: String, Sendable, CaseIterable {
    /// Never: no request of a player causes network traffic then.
    case never
    /// Only while the connection costs nothing by volume.
    case unmetered
    /// Always.
    case always
}
