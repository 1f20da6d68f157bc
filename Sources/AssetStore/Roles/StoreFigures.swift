/// Figures of a store as a whole, for monitoring.
package struct StoreFigures: Sendable {
    /// How many assets are in each state; those with none are left out.
    package var assets: [AssetState: Int] = [:]
    /// How many queued assets wait for each reason; those with none are left out.
    package var waiting: [String: Int] = [:]
    /// How many assets have each health; those with none are left out. The health of complete assets is the one in
    /// the catalog; their files are not checked.
    package var health: [Health.Level: Int] = [:]
    /// Bytes of media on disk.
    package var storedBytes: Int64 = 0
    /// Free bytes of the file system; `nil` when unknown.
    package var freeBytes: Int64?
    /// Downloads that run now.
    package var downloads = 0
    /// Bytes per second that arrive for them.
    package var bytesPerSecond = 0.0
    /// Events in the whole history of the store.
    package var events: Int64 = 0
    /// The nodes that share the store; `nil` for a store of one machine.
    package var sharing: Sharing?

    /// Figures of a store that several nodes share, as the active one knows them.
    package struct Sharing: Sendable {
        /// How many nodes have each role; those with none are left out.
        package var nodes: [NodeRecord.Role: Int] = [:]
        /// How often another node has become the owner of the store.
        package var epoch: Int64 = 0
        /// Milliseconds for which this node may go on without the catalog's database.
        package var rest: Int64 = 0
        /// Whether the catalog's database answers. If not, the figures that the catalog has are unknown.
        package var hasCatalog = true

        package init() {}
    }

    package init() {}
}
