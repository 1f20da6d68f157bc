/// Figures of a store as a whole, for monitoring.
package struct StoreFigures: Sendable {
    /// How many assets are in each state; those with none are left out.
    package var assets: [AssetState: Int] = [:]
    /// How many queued assets wait for each reason; those with none are left out.
    package var waiting: [String: Int] = [:]
    /// How many assets are of each health, complete ones as it was told; those with none are left out.
    package var health: [Health.Level: Int] = [:]
    /// Bytes of media on disk.
    package var storedBytes: Int64 = 0
    /// Bytes that the file system has left; `nil` when it does not tell.
    package var freeBytes: Int64?
    /// Downloads that run now.
    package var downloads = 0
    /// Bytes per second that arrive for them.
    package var bytesPerSecond = 0.0
    /// Events in the whole history of the store.
    package var events: Int64 = 0
    /// The nodes that share the store; `nil` of a store of one machine.
    package var sharing: Sharing?

    /// Figures of a store that several nodes share, as the active one knows them.
    package struct Sharing: Sendable {
        /// How many nodes do what; those with none are left out.
        package var nodes: [NodeRecord.Role: Int] = [:]
        /// How often the store has changed hands.
        package var epoch: Int64 = 0
        /// Milliseconds for which this node may go on without the catalog's database.
        package var rest: Int64 = 0

        package init() {}
    }

    package init() {}
}
