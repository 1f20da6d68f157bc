/// Figures of a store as a whole, for monitoring.
package struct StoreFigures: Sendable {
    /// The number of assets in each state; states without assets are left out.
    package var assets: [AssetState: Int]
    /// The number of assets of each health, for complete ones as last reported; levels without assets are left out.
    package var health: [Health.Level: Int]
    /// Bytes of media on disk.
    package var storedBytes: Int64
    /// Bytes that the file system has left; `nil` when it does not tell.
    package var freeBytes: Int64?
    /// Downloads that run now.
    package var downloads: Int
    /// Bytes per second that arrive for them.
    package var bytesPerSecond: Double
    /// Events in the whole history of the store.
    package var events: Int64
}
