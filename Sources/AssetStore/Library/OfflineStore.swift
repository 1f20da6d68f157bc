internal import Foundation
internal import HLSPlaylist
internal import Locking
package import Logging
package import SystemPackage
internal import Transfers

/// A store with its engine: the one writer of a store's catalog and folders.
///
/// One process at a time works on a store, which a lock on its folder enforces. Other processes read the store with
/// `StoreReader`, and request changes from the engine's server.
///
/// ```swift
/// let store = try await OfflineStore.open(at: folder)
/// let download = try await store.download(DownloadRequest(url: streamURL))
/// for try await step in download.progress { print(step.fraction) }
/// print(try await store.asset(download.id).isPlayableOffline)
/// await store.close()
/// ```
///
/// The store delegates its work to internal roles. Each role gets only the parts of the store that it needs.
public final class OfflineStore: Sendable {
    /// The version of the product. It is also part of the User-Agent for origins.
    public static let version = Version.current
    /// Reads the store.
    public let reader: StoreReader
    /// The parts that the roles share.
    let parts: StoreParts
    /// The roles of the store.
    let roles: StoreRoles
    private let services: EngineServices
    /// Publishes the addresses of servers for other processes.
    package let servers: PublishedServers
    /// The policy of the engine.
    package let settings: SettingsDesk
    let ticker: ProgressTicker
    let upkeep: StoreUpkeep
    let closing = Lock<Task<Void, Never>?>(nil)

    /// Opens the store in `root` for work on it, and makes it if there is none.
    ///
    /// This call reads and writes files and blocks; programs call ``open(at:configuration:startsDownloads:log:)``.
    ///
    /// - Throws: `StoreError.Code.storeInUse` if another process works on it.
    package init(
        root: FilePath, configuration: Configuration = Configuration(),
        log: Logger = Logger(label: "offline-server")
    ) throws(StoreError) {
        TransferLoop.prepare()
        let parts = try StoreParts(root, configuration: configuration, log: log)
        self.parts = parts
        reader = parts.reader
        let roles = StoreRoles(parts)
        self.roles = roles
        services = EngineServices(roles, parts.notices)
        servers = PublishedServers(loop: parts.loop, lock: parts.lock, keeper: parts.keeper)
        ticker = ProgressTicker(catalog: parts.catalog, engine: parts.engine)
        upkeep = StoreUpkeep(
            parts: parts, housekeeper: roles.housekeeper, renewals: roles.renewals, retries: roles.retries,
            olderMedia: roles.olderMedia, damage: roles.damage)
        settings = SettingsDesk(
            parts: parts, configuration: configuration, servers: servers, upkeep: upkeep)
        connect()
        try recover()
    }

    /// Connects the parts to what they call for work that needs several parts.
    private func connect() {
        reader.use(parts.keeper.policy, context.conditions)
        parts.owner.lead(to: services)
        upkeep.startDiscovering()
    }

    /// Cleans up after a killed engine: queues interrupted downloads again, finishes removals, and deletes assets that
    /// were entered only in part.
    private func recover() throws(StoreError) {
        try catalog.queue.requeueInterrupted(at: context.clock.now)
        _ = try roles.remover.discard(try catalog.assets.tokens(in: [.removing, .resolving]))
        try parts.disposer.recover()
        parts.disposer.forgetErased()
    }

    /// Starts all queued downloads. From now on, the hooks of the store's settings are called for events. A second
    /// call changes nothing.
    public func start() async { await upkeep.start(hooks: settings.hooks) }

    /// Ends all transfers and closes the store. Downloads that were running go on after the next start.
    package func stop() async {
        ticker.stop()
        parts.tamperWatch.stop()
        roles.renewals.timer.stop()
        roles.retries.timer.stop()
        await upkeep.stop()
        await engine.stop()
        await parts.loop.stop()
        await parts.bucket?.stop()
        await parts.disposer.untilDone()
        keys.flush()
        try? housekeeper.flushPlays()
        catalog.close()
        parts.lock.release()
    }
}

// MARK: - Roles, for the modules of the package

extension OfflineStore {
    /// Enters requests.
    package var intake: StreamIntake { roles.intake }
    /// Makes assets of folders.
    package var imports: FolderImport { roles.imports }
    /// Pauses, resumes, cancels, removes and edits assets.
    package var control: AssetControl { roles.control }
    /// Changes the renditions of assets.
    package var tracks: TrackEditor { roles.tracks }
    /// Changes the sources of assets.
    package var sources: SourceEditor { roles.sources }
    /// Verifies and repairs assets.
    package var repairer: AssetRepairer { roles.repairer }
    /// Keeps the store within its limits.
    package var housekeeper: Housekeeper { roles.housekeeper }
    /// Grants licenses, and keeps keys.
    package var licenses: LicenseOffice { roles.licenses }
    /// Fetches units for waiting players.
    package var media: MediaAccess { roles.media }
    /// Notes how far assets were watched, and keeps the index for the search.
    package var viewing: ViewingDesk { roles.viewing }
}

// MARK: - Parts

extension OfflineStore {
    /// The rows of the store.
    package var catalog: Catalog { parts.catalog }
    var context: EngineParts { parts.context }
    var engine: DownloadEngine { parts.engine }
    /// Hands out content keys.
    package var keys: KeyDesk { parts.keys }
    /// The paths of the store.
    package var paths: StorePaths { parts.paths }
    /// The policy of the engine at its start.
    package var firstPolicy: EnginePolicy { parts.policy }

    /// Watches the files of complete assets, and notices when other programs delete or change them. At most some
    /// hundred folders are watched: those of the assets that were named last.
    package func watch(_ tokens: some Sequence<AssetToken>) {
        for token in tokens { parts.tamperWatch.follow(token) }
    }

    /// Calls `body` whenever the served files of assets may have changed. It is called on any thread and must not
    /// block.
    ///
    /// - Returns: a number for ``stopObserving(_:)``.
    @discardableResult
    package func onChange(_ body: @escaping @Sendable (Set<AssetToken>) -> Void) -> Int {
        parts.observers.add(body)
    }

    /// Removes an observer.
    package func stopObserving(_ number: Int) { parts.observers.remove(number) }

    /// Calls an observer with the files of units that are stored from now on. It replaces the earlier observer; `nil`
    /// removes it. It must not block.
    package func onStored(_ body: (@Sendable ([FilePath]) -> Void)?) { context.committer.tell(body) }

    /// Waits until an asset is complete, failed, cancelled or paused.
    package func untilSettled(_ token: AssetToken) async { await engine.untilSettled(token) }

    /// The error that ended a download and could not be written to the catalog, for example on a full disk; `nil`
    /// without one.
    package func unrecordedFailure(of token: AssetToken) async -> StoreError? {
        await engine.unrecordedFailure(of: token)
    }

    /// Waits until the hooks were called for all events so far, but not longer than `patience`.
    package func untilHooksAreTold(within patience: Duration) async {
        await upkeep.untilHooksAreTold(within: patience)
    }

    /// The bucket with the media; `nil` for the store's folder.
    package var bucket: BucketMedia? { parts.bucket }

    /// Returns when the files of all removed assets are deleted.
    package func untilDisposed() async { await parts.disposer.untilDone() }

    /// Looks at a stream over the engine's own connections.
    package func inspector(url: String, access: OriginAccess) throws(StoreError) -> StreamInspector {
        try StreamInspector(url: url, access: access, loop: parts.loop, providers: parts.providers)
    }
}
