internal import Locking
package import SystemPackage

/// Reads a store. Any process may read it, also while the engine of another process works on it.
///
/// Calls block for a query and some `lstat`s: do not call them on a thread that serves connections.
///
/// ```swift
/// let reader = try await StoreReader.open(at: folder)
/// for asset in try reader.assets(states: [.complete], limit: 20) {
///     print(asset.token, asset.name, asset.storedBytes)
/// }
/// ```
public final class StoreReader: Sendable {
    package let catalog: Catalog?
    let vault: KeyVault?
    /// The clock of the engine. Readers in other processes use the latest time in the catalog.
    private let clock: TrustedClock?
    package let arriving = ArrivingUnits()
    /// The bucket with the media; `nil` if they are in the folder, and in processes other than the engine's.
    package let bucket: BucketMedia?
    package let players: Players
    let subtitleCache = SubtitleCache()
    package let growingPlaylists = GrowingPlaylists()
    /// Damage that was seen and is not in the catalog yet.
    package let discoveries = Discoveries()
    /// The limits of the engine in this process; `nil` in other processes.
    let limits = Lock<(policy: StoragePolicy, conditions: EngineConditions)?>(nil)
    /// The paths of the store.
    package let paths: StorePaths

    /// Notes the limits of the engine in this process.
    package func use(_ policy: StoragePolicy, _ conditions: EngineConditions) {
        limits.withLock { $0 = (policy, conditions) }
    }

    /// Opens the store in `root` for reading. A store that does not exist is empty.
    ///
    /// - Throws: `storeFolder` when `root` is no folder, or one that this user may not look into.
    package convenience init(root: FilePath) throws(StoreError) {
        var paths = StorePaths(root: root)
        guard !FileSystem.isThere(root) || FileSystem.isDirectory(root) else {
            throw StoreError(.storeFolder(root.string, errno: Errno.notDirectory.rawValue))
        }
        if let errno = FileSystem.obstacle(to: paths.catalog) {
            throw StoreError(.storeFolder(root.string, errno: errno))
        }
        if let address = try NodeFolder(paths).address() {
            paths.isOfNode = true
            let catalog = try Catalog(reading: address)
            catalog.useAddressSealer(Self.addressSealer(paths))
            self.init(paths: paths, catalog: catalog, vault: nil)
            return
        }
        var catalog = try Catalog(reading: paths.catalog)
        if catalog == nil {
            try Self.bringUpToDate(paths)
            catalog = try Catalog(reading: paths.catalog)
        }
        catalog?.useAddressSealer(Self.addressSealer(paths))
        self.init(paths: paths, catalog: catalog, vault: nil)
    }

    /// Migrates the catalog of an older version, unless an engine works on the store, which would do so.
    private static func bringUpToDate(_ paths: StorePaths) throws(StoreError) {
        guard FileSystem.facts(paths.catalog)?.size ?? 0 > 0, let lock = try? StoreLock(paths.lock) else {
            return
        }
        defer { lock.release() }
        let catalog = try Catalog(writing: paths.catalog)
        catalog.useAddressSealer(addressSealer(paths))
        try catalog.addresses.sealOldAddresses()
        catalog.close()
    }

    /// The sealer of addresses. Without the store key addresses stay sealed, but can still be compared.
    private static func addressSealer(_ paths: StorePaths) -> AddressSealer? {
        let vault = (try? KeyVault.existing(paths.storeKey)) ?? nil
        return vault.map { AddressSealer($0) }
    }

    /// Creates a reader of a store that is open, in the process of its engine or in another one.
    package init(
        paths: StorePaths, catalog: Catalog?, vault: KeyVault?, clock: TrustedClock? = nil,
        owner: StoreOwnerLink = StoreOwnerLink(), bucket: BucketMedia? = nil
    ) {
        self.bucket = bucket
        players = Players(log: PlayLog(owner: owner))
        self.vault = vault
        self.clock = clock
        self.paths = paths
        self.catalog = catalog
        catalog?.keyIdentifiers.withLock { identifiers in
            identifiers = { SampleKeys(paths: paths, token: $0).identifiers }
        }
    }

    /// The bucket with the store's media as a URL; `nil` if they are in its folder.
    package func mediaPlace() throws(StoreError) -> String? { try catalog?.storage.mediaPlace() }

    /// The files of an asset that the catalog of a shared store keeps. In a store of one machine there are none.
    package func keptFiles(of token: AssetToken) throws(StoreError) -> [(path: String, body: [UInt8])] {
        guard let catalog, paths.isOfNode else { return [] }
        return try catalog.shared.files(of: token)
    }

    /// A reader that copies missing media into the store's folder from `media`.
    package func bringing(_ media: any MediaSource) -> StoreReader {
        var paths = paths
        paths.media = media
        return StoreReader(paths: paths, catalog: catalog, vault: vault)
    }

    /// Whether this is the reader of the engine itself.
    var isEngines: Bool { clock != nil }

    /// The room of the file system of a path, as the engine sees it.
    func space(_ path: FilePath) -> (free: UInt64, total: UInt64)? {
        limits.withLock(\.self)?.conditions.space(path) ?? FileSystem.space(at: path)
    }

    /// The engine that works on the store now.
    package var engine: EngineAddress? { StoreLock.holder(paths.lock) }

    /// The largest cost of file checks in a listing, about 30 ms. A file costs one, and the query for a rendition
    /// costs `rendition`.
    private static let lookBudget = (files: 8000, rendition: 16)

    /// Assets from the newest to the oldest.
    ///
    /// For the newest assets, each file is checked, up to some 8,000 files. For the others only the modification times
    /// of their folders are checked: these show files that were deleted or added, but not files that were cut off. An
    /// asset whose files can't be checked does not make the call fail. A node of a shared store has no files to check.
    ///
    /// - Parameters:
    ///   - states: only assets in these states; all if empty.
    ///   - before: only older assets than this.
    ///   - since: only assets with an event after this one.
    ///   - expiring: a number of seconds: only assets with a valid license that ends before they have passed.
    ///   - limit: the largest number of assets.
    public func assets(
        states: [AssetState] = [], before: AssetToken? = nil, since: Int64? = nil, expiring: Int64? = nil,
        limit: Int = .max
    ) throws(StoreError) -> [Asset] {
        try assets(
            states: states, before: before, since: since, expiring: expiring, limit: limit,
            checking: Self.lookBudget.files)
    }

    /// Assets from the newest to the oldest.
    ///
    /// - Parameter files: the largest number of files to check; `nil` checks none and uses the catalog alone.
    package func assets(
        states: [AssetState], before: AssetToken? = nil, since: Int64? = nil, expiring: Int64? = nil,
        limit: Int = .max, checking files: Int?
    ) throws(StoreError) -> [Asset] {
        guard let catalog, let states = catalogStates(shownAs: states) else { return [] }
        let records = try catalog.assets.page(
            states: states, before: before, since: since, expiring: try expiring.map(time), limit: limit)
        var assets: [Asset] = []
        assets.reserveCapacity(records.count)
        // A node of a shared store has no files.
        var budget = paths.isOfNode ? nil : files
        let moment = try moment()
        let surroundings = try surroundings(of: records)
        let opener = try keyOpener()
        // SQLite takes some thousand parameters at most.
        for start in stride(from: 0, to: records.count, by: 500) {
            let page = records[start..<min(start + 500, records.count)]
            let renditions = try catalog.renditions.all(of: page.map(\.token))
            let lacking = try opener.lacking(among: page.map(\.token), in: catalog)
            let licenses = try catalog.licenses.all(of: page.map(\.token))
            let recordings = try catalog.recordings.all(of: page.map(\.token))
            let notable = try catalog.health.notableUnits(of: page.map(\.token))
            let mixtures = try catalog.health.mixtures(of: page.map(\.token))
            for record in page {
                let rows = renditions[record.token] ?? []
                let license = Self.status(
                    licenses[record.token], keysMissing: lacking[record.token] != nil, at: moment)
                let facts = AssetFacts(
                    record: record, rows: rows, license: license, missingKeys: lacking[record.token] ?? 0,
                    recording: recordings[record.token], notable: notable[record.token] ?? [],
                    mixture: mixtures[record.token],
                    surroundings: surroundings)
                let depth = Self.depth(rows, &budget)
                assets.append(try asset(facts, in: catalog, depth: depth, isListed: true))
            }
        }
        return assets
    }

    /// The range of time that begins now and lasts a number of seconds.
    private func time(_ seconds: Int64) throws(StoreError) -> Range<Timestamp> {
        let now = try moment().trusted
        return now..<max(now, now.adding(seconds: seconds))
    }

    private static func depth(_ rows: [RenditionRecord], _ budget: inout Int?) -> AvailabilityCheck.Depth {
        guard let left = budget else { return .catalog }
        let cost = rows.reduce(0) { $0 + $1.segments + $1.initializations + lookBudget.rendition }
        guard cost <= left else { return .folders }
        budget = left - cost
        return .files
    }

    /// The newest event of the store's log; 0 before the first one.
    public func lastEvent() throws(StoreError) -> Int64 { try catalog?.events.lastEvent() ?? 0 }

    /// Everything known of one asset, with a check that each file is there at its size.
    ///
    /// - Parameters:
    ///   - token: the asset's token.
    ///   - isListed: whether a failed check of the files is a problem of the returned asset, as in a listing. If not,
    ///     it is an error.
    /// - Returns: `nil` if no asset has this token.
    /// - Throws: the reason when its files can't be checked and `isListed` is false.
    public func asset(_ token: AssetToken, isListed: Bool = false) throws(StoreError) -> Asset? {
        guard let catalog, let record = try catalog.assets.asset(token) else { return nil }
        return try asset(try facts(of: record, catalog), in: catalog, depth: .files, isListed: isListed)
    }

    private func facts(of record: AssetRecord, _ catalog: Catalog) throws(StoreError) -> AssetFacts {
        let token = record.token
        let license = try catalog.licenses.license(of: token)
        let lacking = try license == nil ? 0 : keyOpener().lacking(among: [token], in: catalog)[token] ?? 0
        return AssetFacts(
            record: record, rows: try catalog.renditions.all(of: [token])[token] ?? [],
            license: Self.status(license, keysMissing: lacking > 0, at: try moment()), missingKeys: lacking,
            recording: try catalog.recordings.all(of: [token])[token],
            notable: try catalog.health.notableUnits(of: [token])[token] ?? [],
            mixture: try catalog.health.mixtures(of: [token])[token],
            surroundings: try surroundings(of: [record]))
    }

    /// Everything that the catalog has about one asset. Its files are not checked.
    public func progress(of token: AssetToken) throws(StoreError) -> Asset? {
        guard let catalog, let record = try catalog.assets.asset(token) else { return nil }
        return try asset(try facts(of: record, catalog), in: catalog, depth: .catalog, isListed: false)
    }

    /// The present moment, never earlier than the latest one that the engine has seen.
    func moment() throws(StoreError) -> Moment {
        if let clock { return clock.now }
        let wall = SystemWallClock().now
        return Moment(wall: wall, trusted: max(wall, try catalog?.licenses.highWater() ?? wall))
    }

    private static func status(
        _ license: License?, keysMissing: Bool, at moment: Moment
    ) -> LicenseStatus {
        guard let license else { return .none }
        return LicenseStatus(license, keysMissing: keysMissing, at: moment)
    }

    /// The ends of the hosts' cooldowns, by host. The catalog is read only if one of the assets may wait for a host.
    func cooldowns(for records: some Sequence<AssetRecord>) throws(StoreError) -> [String: Timestamp] {
        guard let catalog, records.contains(where: \.mayWaitForOrigin) else { return [:] }
        let cooldowns = try catalog.queue.cooldowns(after: try moment().wall)
        return Dictionary(cooldowns.map { ($0.host, $0.until) }) { $1 }
    }

    /// Like `asset`, for callers that must have one.
    public func requireAsset(_ token: AssetToken, isListed: Bool = false) throws(StoreError) -> Asset {
        guard let asset = try asset(token, isListed: isListed) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        return asset
    }

    /// Like `progress`, for callers that must have such an asset.
    @discardableResult
    public func requireProgress(of token: AssetToken) throws(StoreError) -> Asset {
        guard let asset = try progress(of: token) else { throw StoreError(.noSuchAsset(token.description)) }
        return asset
    }

    /// The renditions of an asset that are stored completely, with a check that each file is there at its size.
    public func wholeRenditions(of token: AssetToken) throws(StoreError) -> [AssetRendition] {
        guard let catalog, let record = try catalog.assets.asset(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        let check = AvailabilityCheck(paths: paths, catalog: catalog, record: record)
        var whole: [AssetRendition] = []
        for row in try catalog.renditions.all(of: [token])[token] ?? [] where try check.isWhole(row) {
            whole.append(AssetRendition(row))
        }
        return whole
    }
}

extension AssetRecord {
    /// Whether the download may wait for a host that cools down.
    fileprivate var mayWaitForOrigin: Bool {
        state == .downloading || state == .queued && reason == WaitReason.origin.rawValue
    }

    /// The time until which it waits because of hosts' cooldowns; `nil` without a wait or a known time.
    func wait(for cooldowns: [String: Timestamp]) -> Timestamp? {
        guard !cooldowns.isEmpty, mayWaitForOrigin else { return nil }
        return HostCooldowns.host(of: sourceURL).flatMap { cooldowns[$0] }
    }
}
