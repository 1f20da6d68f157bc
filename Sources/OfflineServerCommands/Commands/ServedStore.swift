internal import AssetStore
internal import Logging
internal import OfflineServer
internal import SystemPackage

/// A store that this process works on, and the server by which players and other processes reach it.
final class ServedStore: Sendable {
    let store: OfflineStore
    let server: PlaybackServer

    /// Settings of both.
    struct Configuration: Sendable {
        var root: FilePath
        var engine = OfflineStore.Configuration()
        var server = PlaybackServer.Configuration()
        var log: Logger
    }

    private init(_ store: OfflineStore, _ server: PlaybackServer) {
        (self.store, self.server) = (store, server)
    }

    /// Opens the store and lets requests in; downloads wait for `start`.
    static func open(_ configuration: Configuration) async throws -> ServedStore {
        // No store is made for a server that can't listen. With an existing store, its lock is checked before the
        // port.
        if !StorePaths(root: configuration.root).isMade { try PlaybackServer.check(configuration.server) }
        let store = try OfflineStore(
            root: configuration.root, configuration: configuration.engine, log: configuration.log)
        if let bucket = store.bucket { try await check(bucket, of: store, configuration.log) }
        do throws(PlaybackServerError) {
            return ServedStore(store, try await PlaybackServer.start(serving: store, configuration.server))
        } catch {
            await store.stop()
            throw error
        }
    }

    /// Checks whether the bucket of the media can be used. While it can't be reached, cached media are served.
    static func check(_ bucket: BucketMedia, of store: OfflineStore, _ log: Logger) async throws {
        do throws(StoreError) {
            if let trouble = try await bucket.check() { log.warning("\(trouble)") }
        } catch {
            await store.stop()
            throw error
        }
    }

    /// Starts queued downloads.
    func start() async { await store.start() }

    /// Ends held responses, then transfers, then the store.
    func stop() async {
        await server.stop()
        await store.stop()
    }

    /// The server's address, without a slash at the end.
    var url: String { server.address }

    /// The assets that other processes asked for.
    var accepted: AcceptedAssets { server.accepted }
}
