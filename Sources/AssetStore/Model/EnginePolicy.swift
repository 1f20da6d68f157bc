/// What an engine keeps to. It can be changed while it runs.
public struct EnginePolicy: Sendable, Equatable {
    /// How many assets download at once.
    public var maximumDownloads = 3
    /// Transfers that one asset, and one host, may have at once, at most; what players wait for may come on top.
    public var transfersPerAsset = 16
    /// Bytes a second for all downloads together; `nil` is no limit. What a player waits for is not held back.
    public var rateLimit: UInt64?
    /// Bytes a second for what comes from one origin; `nil` is no limit.
    public var rateLimitPerHost: UInt64?
    /// When downloads go on, unless an asset has times of its own.
    public var schedule = Schedule.always
    /// Whether downloads go on while the connection costs by volume.
    public var mayUseMetered = false
    /// Network interfaces that cost by volume; a name that ends with `*` stands for all that begin so.
    public var meteredInterfaces: [String] = []

    /// The usual policy.
    public init() {}

    /// What the settings of a store say, and what is given besides, which counts more.
    init(_ settings: EngineSettings, _ given: AssetStore.Configuration) {
        maximumDownloads = given.maximumDownloads ?? settings.maximumDownloads ?? maximumDownloads
        transfersPerAsset = given.transfersPerAsset ?? settings.transfersPerAsset ?? transfersPerAsset
        meteredInterfaces = settings.meteredInterfaces
        rateLimit = given.rateLimit ?? settings.rateLimit
        rateLimitPerHost = given.rateLimitPerHost ?? settings.rateLimitPerHost
        schedule = given.schedule ?? settings.schedule ?? .always
        mayUseMetered = given.mayUseMetered ?? settings.mayUseMetered ?? false
    }
}
