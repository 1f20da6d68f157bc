package import SystemPackage

/// The rows and folders of a store, and the time by its clock on the wall.
package struct StoreAccess: Sendable {
    package let catalog: Catalog
    package let paths: StorePaths
    package let clock: any WallClock

    package init(catalog: Catalog, paths: StorePaths, clock: any WallClock) {
        (self.catalog, self.paths, self.clock) = (catalog, paths, clock)
    }

    /// The time.
    package var now: Timestamp { clock.now }

    /// The renditions of an asset.
    package func renditions(of token: AssetToken) throws(StoreError) -> [RenditionRecord] {
        try catalog.renditions.all(of: [token])[token] ?? []
    }

    /// The folder of a unit's rendition.
    package func folder(of job: UnitJob, _ token: AssetToken) -> FilePath {
        paths.rendition(token, job.rendition.name)
    }
}
