internal import SystemPackage

/// Changes that users may make to an asset at any time; `nil` leaves a property as it is.
public struct AssetEdit: Sendable {
    /// Its display name.
    public var name: String?
    /// Higher goes first.
    public var priority: Int?
    /// The user's own data, all of it.
    public var meta: [String: String]?
    /// The user's tags, all of them.
    public var tags: [String]?
    /// Whether it is protected from eviction.
    public var isPinned: Bool?
    /// Bytes a second for all its transfers; 0 lifts the limit.
    public var rateLimit: UInt64?
    /// The times of day at which it may be downloaded.
    public var schedule: Schedule?
    /// Whether it may be downloaded on a metered connection.
    public var isMeteredOK: Bool?

    /// An edit that changes nothing.
    public init() {}
}
