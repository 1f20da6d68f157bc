internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking
internal import Logging
internal import SystemPackage

/// The running product: a store with its engine, and the daemon in front of it. Made, started and stopped
/// here, in this order and the reverse one.
final class Server: Sendable {
    let store: AssetStore
    /// Where it answers, without a slash at the end.
    let url: String
    let port: UInt16
    /// What other processes asked for.
    let accepted = AcceptedAssets()
    private let daemon: HTTPDaemon
    private let sweeper: Task<Void, Never>
    /// Whether every request must show the store's token.
    let requiresToken: Bool
    private let ready = Lock(false)
    private let stopping = Lock<Task<Void, Never>?>(nil)

    /// Settings of a server.
    struct Configuration: Sendable {
        var root: FilePath
        var address = ListenAddress(host: "127.0.0.1", port: ListenAddress.usualPort)
        /// Takes any free port when the wanted one is in use.
        var mayMove = false
        var allowedOrigins: [String] = []
        /// Whether every request must show the store's token, also where only this machine can ask.
        var requiresToken = false
        var engine = AssetStore.Configuration()
        /// How long a player waits for the header section of a segment that its origin does not answer for.
        var patience = MediaResponder.usualPatience
        var log: Logger
    }

    init(_ given: Configuration) throws {
        try Self.checkAddress(given)
        var configuration = given
        store = try AssetStore(
            root: configuration.root, configuration: configuration.engine, log: configuration.log)
        configuration.engine.maximumDownloads = store.firstPolicy.maximumDownloads
        configuration.engine.transfersPerAsset = store.firstPolicy.transfersPerAsset
        requiresToken = configuration.requiresToken || !configuration.address.isLoopback
        let token = try APIToken.read(store.paths.apiToken)
        let router = LateRouter()
        daemon = try Self.listen(configuration, router)
        port = daemon.port
        url = "http://\(configuration.address.urlHost):\(port)"
        let cache = MediaCache()
        let (ready, keys, store) = (ready, store.keys, store)
        router.router = Router(
            access: AccessPolicy(
                address: configuration.address.host, port: port,
                allowedOrigins: configuration.allowedOrigins, allowsAnyName: requiresToken),
            gate: TokenGate(token: token, isClosed: requiresToken),
            media: MediaResponder(
                store: store, cache: cache, variesByOrigin: !configuration.allowedOrigins.isEmpty,
                patience: configuration.patience),
            api: APIResponder(
                store: store, accepted: accepted, serverURL: url,
                token: token),
            pages: PageResponder(reader: store.reader, serverURL: url) { [store] in await store.liveFigures },
            isReady: { ready.withLock { $0 } })
        store.onChange { cache.forget($0) }
        sweeper = Task {
            while (try? await Task.sleep(for: .seconds(15))) != nil {
                cache.sweep()
                await Blocking.run {
                    keys.flush()
                    // What was played is told again a little later.
                    try? store.flushPlays()
                }
            }
        }
    }

    /// No store is made for a server that can't listen. Of one that is there it is told first who works on it.
    private static func checkAddress(_ configuration: Configuration) throws(HTTPDaemonError) {
        guard !configuration.mayMove, !StorePaths(root: configuration.root).isMade else { return }
        try HTTPDaemon.check(limits(of: configuration))
    }

    private static func listen(_ configuration: Configuration, _ responder: LateRouter) throws -> HTTPDaemon {
        var wanted = limits(of: configuration)
        do throws(HTTPDaemonError) {
            return try HTTPDaemon(configuration: wanted, responder: responder)
        } catch {
            guard configuration.mayMove, error.reason == .portInUse else { throw error }
            wanted.port = 0
            return try HTTPDaemon(configuration: wanted, responder: responder)
        }
    }

    /// Where a server listens, and how much of this machine its clients may use.
    static func limits(of configuration: Configuration) -> HTTPDaemonConfiguration {
        let address = configuration.address
        var limits = HTTPDaemonConfiguration(address: address.host, port: address.port)
        limits.reservedDescriptors = max(
            limits.reservedDescriptors, descriptors(of: configuration.engine))
        // On loopback all are one address.
        if !address.isLoopback {
            limits.addressConnectionLimit = limits.possibleConnections / neighborShare
        }
        return limits
    }

    /// File descriptors that a store and its engine need: some of its own, and for each transfer of the downloads that
    /// run a connection and a file.
    static func descriptors(of engine: AssetStore.Configuration) -> Int {
        let usual = EnginePolicy()
        return 64 + 2 * (engine.maximumDownloads ?? usual.maximumDownloads)
            * (engine.transfersPerAsset ?? usual.transfersPerAsset)
    }

    /// One machine of the network may have one of so many connections.
    private static let neighborShare = 4

    /// Tells other processes where we are and starts what is queued.
    func start(downloads: Bool = true) async throws(StoreError) {
        try store.publish(url: url, port: port, requiresToken: requiresToken)
        ready.withLock { $0 = true }
        if downloads { await store.start() }
    }

    /// Ends held responses, then transfers, then the store; whoever asks again waits for the same end.
    func stop() async {
        let end = stopping.withLock { task in
            let running = task ?? Task { await self.shutDown() }
            task = running
            return running
        }
        await end.value
    }

    private func shutDown() async {
        ready.withLock { $0 = false }
        sweeper.cancel()
        await daemon.stop()
        await store.stop()
    }
}

/// Stands in until the port is known: who may ask depends on it.
private final class LateRouter: HTTPResponder {
    private let state = Lock<Router?>(nil)

    var router: Router? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func respond(to request: Request) -> Answer {
        router?.respond(to: request)
            ?? .response(Problem.starting.response)
    }

    func refuse(_ refusal: Refusal, of request: Request?) -> Response {
        router?.refuse(refusal, of: request) ?? Response(problem: refusal)
    }
}
