/// What an engine keeps to. It can be changed while it runs.
public struct EnginePolicy: Sendable, Equatable {
    /// How many assets download at once.
    public var maximumDownloads = 3
    /// Bytes a second for all downloads together; `nil` is no limit. What a player waits for is not held back.
    public var rateLimit: UInt64?
    /// Bytes a second for what comes from one origin; `nil` is no limit.
    public var rateLimitPerHost: UInt64?
    /// When downloads go on, unless an asset has times of its own.
    public var schedule = Schedule.always
    /// Whether downloads go on while the connection costs by volume.
    public var mayUseMetered = false

    /// The usual policy.
    public init() {}

    /// What the settings of a store say, and what is given besides, which counts more.
    init(_ settings: EngineSettings, _ given: AssetStore.Configuration) {
        maximumDownloads = given.maximumDownloads
        rateLimit = given.rateLimit ?? settings.rateLimit
        rateLimitPerHost = given.rateLimitPerHost ?? settings.rateLimitPerHost
        schedule = given.schedule ?? settings.schedule ?? .always
        mayUseMetered = given.mayUseMetered ?? settings.mayUseMetered ?? false
    }
}
