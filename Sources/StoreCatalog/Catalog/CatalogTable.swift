/// The statements about one subject of the catalog. A table's only state is the catalog: several tables take part in
/// one transaction by passing its session on.
package protocol CatalogTable: Sendable {
    var catalog: Catalog { get }
}

extension CatalogTable {
    /// Runs `body` in one transaction that is durable when this returns.
    ///
    /// - Parameter scope: the rows that it changes.
    @discardableResult
    package func write<T>(
        _ scope: WriteScope, _ body: (any SQLSession) throws -> T
    ) throws(StoreError) -> T {
        try catalog.write(scope, body)
    }

    /// Runs `body` on one snapshot of the catalog.
    package func read<T>(_ body: (any SQLSession) throws -> T) throws(StoreError) -> T {
        try catalog.read(body)
    }
}

extension Catalog {
    /// Assets: their rows, states and requests.
    package var assets: AssetTable { AssetTable(catalog: self) }
    /// The queue: entries, their order, and their reasons to wait.
    package var queue: QueueTable { QueueTable(catalog: self) }
    /// Segments and initialization sections.
    package var units: UnitTable { UnitTable(catalog: self) }
    /// Renditions, their playlists, tracks that are added and removed.
    package var renditions: RenditionTable { RenditionTable(catalog: self) }
    /// Licenses of content keys, and the trusted clock's mark.
    package var licenses: LicenseTable { LicenseTable(catalog: self) }
    /// The items that are sealed with the store's key.
    package var sealed: SealedItems { SealedItems(catalog: self) }
    /// Recordings of live streams.
    package var recordings: RecordingTable { RecordingTable(catalog: self) }
    /// The problems of assets: findings, drift, streams that were lost.
    package var health: HealthTable { HealthTable(catalog: self) }
    /// Bytes that are held, plays, and folders that are to go.
    package var storage: StorageTable { StorageTable(catalog: self) }
    /// The durable log of events, and how far its readers are.
    package var events: EventLog { EventLog(catalog: self) }
    /// The origin's addresses of assets and units.
    package var addresses: AddressTable { AddressTable(catalog: self) }
    /// Interstitials of assets.
    package var interstitials: InterstitialTable { InterstitialTable(catalog: self) }
    /// The samples of stored segments.
    package var sampleIndexes: SampleIndexTable { SampleIndexTable(catalog: self) }
    /// EXT-X-SESSION-DATA of assets.
    package var sessionData: SessionDataTable { SessionDataTable(catalog: self) }
}
