/// Figures of a store as a whole, for monitoring.
package struct StoreFigures: Sendable {
    /// How many assets are in each state; those with none are left out.
    package var assets: [AssetState: Int]
    /// How many assets are of each health, complete ones as it was told; those with none are left out.
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

extension OfflineStore {
    /// Adds up figures of the store.
    package func figures() async throws(StoreError) -> StoreFigures {
        let speeds = await engine.activity.speeds
        keys.flush()
        var health = try catalog.health.countsByHealth()
        let others = AssetState.allCases.filter { $0 != .complete && $0 != .removing }
        // Files tell of the health of complete ones only.
        for asset in try reader.assets(states: others, looksAtFiles: false) {
            health[asset.health.level, default: 0] += 1
        }
        return StoreFigures(
            assets: try catalog.assets.countsByState(), health: health,
            storedBytes: try catalog.assets.storedBytes(),
            freeBytes: FileSystem.freeSpace(at: paths.root).map { Int64(clamping: $0) },
            downloads: speeds.count, bytesPerSecond: speeds.values.reduce(0) { $0 + ($1 ?? 0) },
            events: try catalog.events.lastEvent())
    }

    /// Looks at a stream over the engine's own connections.
    package func inspector(url: String, access: OriginAccess) throws(StoreError) -> StreamInspector {
        try StreamInspector(url: url, access: access, loop: loop, providers: providers)
    }
}
