internal import APIDocuments
internal import AssetFiles
public import AssetStore
public import Foundation
internal import HTTPDaemon
internal import Locking
internal import SystemPackage

/// A server on this machine for the assets of a store: playlists, media, keys, subtitles, the API and the page for
/// browsers.
///
/// The app opens and closes the store. A stopped server leaves the store open.
///
/// ```swift
/// let store = try await OfflineStore.open(at: folder)
/// let server = try await PlaybackServer.start(serving: store)
/// let download = try await store.download(DownloadRequest(url: streamURL))
/// play(server.playbackURL(for: download.id))
///
/// await server.stop()
/// await store.close()
/// ```
///
/// Releasing the last reference stops the server at once; ``stop()`` lets running responses end first.
public final class PlaybackServer: Sendable {
    /// The address of the server: `http://127.0.0.1:8090`.
    public let url: URL
    /// The port that the server listens on.
    public let port: UInt16
    /// Whether every request must show the store's API token, as ``playbackURL(for:)`` does.
    public let requiresToken: Bool
    /// The address as text, without a slash at the end.
    package let address: String
    /// The assets that were asked for through the API.
    package let accepted = AcceptedAssets()
    /// The browsers that have signed in.
    private let sessions: SessionBook
    /// The prefix of addresses for players, with the API token if the server demands one.
    private let playerAddress: URL
    private let daemon: HTTPDaemon
    private let store: OfflineStore
    let media: MediaResponder
    private let observer: Int
    private let sweeper: Task<Void, Never>
    let indexer: AssetIndexer
    private let ready: Lock<Bool>
    private let grace: Duration
    private let stopping = Lock<Task<Void, Never>?>(nil)

    /// Settings of a server.
    ///
    /// ```swift
    /// var configuration = PlaybackServer.Configuration()
    /// configuration.fallsBackToFreePort = true
    /// configuration.allowedOrigins = ["https://player.example"]
    /// let server = try await PlaybackServer.start(serving: store, configuration)
    /// ```
    public struct Configuration: Sendable {
        /// The address to listen on. If other machines can reach it, every request must show the store's API token.
        public var address = ListenAddress(host: "127.0.0.1", port: ListenAddress.usualPort)
        /// Whether the server listens on any free port if the requested port is in use.
        public var fallsBackToFreePort = false
        /// Origins whose pages may read media, such as `https://player.example`; `*` stands for all of them.
        public var allowedOrigins: [String] = []
        /// Whether every request must show the store's API token, even if only this machine can reach the server.
        public var requiresToken = false
        /// Routes that the app itself answers.
        public var routes: [CustomRoute] = []
        /// The address of a reverse proxy in front of the server, such as `https://media.example`. The proxy removes
        /// a path in it before it passes a request on.
        public var publicURL: String?
        /// Numeric addresses of reverse proxies whose X-Forwarded-Proto and X-Forwarded-Host fields are used.
        public var trustedProxies: [String] = []
        /// How long a player waits for the header section of a segment that its origin does not answer for.
        package var patience = MediaResponder.usualPatience
        /// How long answers with a known length may go on when the server stops.
        package var grace = Duration.seconds(1)

        /// The usual settings: port 8090 of this machine alone, open to its programs.
        public init() {}
    }

    /// Starts a server for a store that is open for work; other processes learn its address from the store.
    ///
    /// Downloads run with a server and without one. The server ends with ``stop()``, before the store is closed.
    ///
    /// ```swift
    /// var configuration = PlaybackServer.Configuration()
    /// configuration.fallsBackToFreePort = true
    /// let server = try await PlaybackServer.start(serving: store, configuration)
    /// ```
    ///
    /// - Throws: `portInUse` unless ``Configuration/fallsBackToFreePort`` is set, or another reason for which the
    ///   server can't listen.
    public static func start(
        serving store: OfflineStore, _ configuration: Configuration = Configuration()
    ) async throws(PlaybackServerError) -> PlaybackServer {
        try await start(serving: store, configuration, on: nil)
    }

    /// Starts a server.
    ///
    /// - Parameter listener: a socket that listens already, with the same configuration; `nil` for a new one.
    package static func start(
        serving store: OfflineStore, _ configuration: Configuration, on listener: ServerListener?
    ) async throws(PlaybackServerError) -> PlaybackServer {
        // Files of the store are read and written.
        let started = await WorkPool.queries.run {
            Result { () throws(PlaybackServerError) in
                let own =
                    if let listener { listener } else {
                        try ServerListener(configuration, policy: store.firstPolicy)
                    }
                return try PlaybackServer(store, configuration, own)
            }
        }
        return try started.get()
    }

    private init(
        _ store: OfflineStore, _ configuration: Configuration, _ listener: ServerListener
    ) throws(PlaybackServerError) {
        let routes = try CustomRoutes(configuration.routes)
        let requiresToken = configuration.demandsToken
        let token = try Self.storing { () throws(StoreError) in try APIToken.read(store.paths.apiToken) }
        let access = try AccessPolicy(
            configuration, port: listener.port,
            proof: store.catalog.ownership.map { _ in NodeForwarder.proof(token) })
        let (cache, ready) = (MediaCache(), Lock(true))
        (daemon, grace) = (listener.daemon, configuration.grace)
        port = daemon.port
        address = listener.address
        guard let url = URL(string: address) else { throw .invalidAddress(configuration.address) }
        self.url = url
        playerAddress = requiresToken ? url.appending(path: "t/\(token)") : url
        (self.store, self.ready, self.requiresToken) = (store, ready, requiresToken)
        let sessions = SessionBook(file: store.paths.root.appending("sessions.json"), token: token)
        self.sessions = sessions
        observer = store.onChange { cache.forget($0) }
        sweeper = Self.sweep(cache, sessions, of: store)
        indexer = AssetIndexer(store)
        media = MediaResponder(
            store: store, cache: cache, variesByOrigin: !configuration.allowedOrigins.isEmpty,
            patience: configuration.patience)
        let router = Router(
            access: access,
            gate: TokenGate(token: token, isClosed: requiresToken, sessions: sessions),
            media: media,
            api: APIResponder(
                store: store, accepted: accepted, serverURL: address, token: token, sessions: sessions,
                requiresToken: requiresToken,
                otherAddresses: Self.otherAddresses(configuration.address, port: daemon.port)),
            pages: PageResponder(store: store, serverURL: address),
            custom: routes,
            isReady: { ready.withLock(\.self) })
        listener.begin(router) { [catalog = store.catalog] in catalog.isAllowed }
        let (address, port) = (address, port)
        try Self.storing { () throws(StoreError) in
            try store.servers.publish(url: address, port: port, requiresToken: requiresToken)
        }
    }

    deinit {
        sweeper.cancel()
        indexer.stop()
        if stopping.withLock(\.self) == nil { leaveStore() }
    }

    /// The address of an asset's playlist, for a player on this machine. It stays the same for as long as the server
    /// listens on the same port.
    ///
    /// The address includes the store's API token if the server demands one: keep such an address out of logs.
    public func playbackURL(for asset: AssetToken) -> URL {
        playerAddress.appending(path: "assets/\(asset)/\(AssetResource.multivariantPlaylist.relativePath)")
    }

    /// The address of a path of the server, such as that of a custom route, for a program on this machine. It
    /// includes the store's API token if the server demands one.
    ///
    /// - Parameter path: begins with a slash; characters that need percent-encoding are encoded.
    public func url(forPath path: String) -> URL { playerAddress.appending(path: path) }

    /// Makes a code with which one browser can sign in within five minutes. It is put into the fragment of the page's
    /// address, as `#code=`.
    package func makeSignInCode() -> String { sessions.makeCode().text }

    /// The addresses by which other machines reach the server, without a slash at the end; empty if they can't.
    package static func otherAddresses(_ address: ListenAddress, port: UInt16) -> [String] {
        guard !address.isLoopback else { return [] }
        return LocalAddress.reachable(LocalAddress.all, listeningAt: address.host).map { other in
            "http://\(ListenAddress(host: other.host, port: port).urlHost):\(port)"
        }
    }

    /// Stops the server: responses get a moment to end, then the port is free. A second call waits until the server
    /// has stopped.
    public func stop() async {
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
        await indexer.finish()
        await WorkPool.queries.run { self.leaveStore() }
        await daemon.stop(grace: grace)
    }

    /// Other processes must not use a port on which this server no longer listens.
    private func leaveStore() {
        store.stopObserving(observer)
        // If this can't be written, other processes find the port closed.
        try? store.servers.withdraw(port: port)
    }

    /// Removes unused media from the cache, and writes pending facts of keys, sessions and plays to the disk.
    private static func sweep(
        _ cache: MediaCache, _ sessions: SessionBook, of store: OfflineStore
    ) -> Task<Void, Never> {
        Task(executorPreference: WorkThreads.housekeeping) { [keys = store.keys] in
            while (try? await Task.sleep(for: .seconds(15))) != nil {
                cache.sweep()
                keys.flush()
                sessions.flush()
                // After an error the next sweep writes the plays.
                try? store.housekeeper.flushPlays()
            }
        }
    }

    private static func storing<Value>(
        _ work: () throws(StoreError) -> Value
    ) throws(PlaybackServerError) -> Value {
        do throws(StoreError) { return try work() } catch { throw .store(error) }
    }
}
