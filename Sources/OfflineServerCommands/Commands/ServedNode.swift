internal import AssetStore
internal import Foundation
internal import Glibc
internal import Locking
internal import Logging
internal import OfflineServer
internal import SystemPackage

/// A node: the program on one of the machines that share a store. On standby it passes requests on to the active node.
/// If no node is active, it claims the store and serves it itself.
final class ServedNode: Sendable {
    private struct State {
        var store: OfflineStore?
        var server: PlaybackServer?
        var lease: HeldLease?
        var standing: NodeStanding?
        var forwarder: NodeForwarder?
        var watch: Task<Void, Never>?
    }

    let listener: ServerListener
    private let node: StoreNode
    private let address: PostgresAddress
    private let configuration: ServedStore.Configuration
    private let paths: StorePaths
    private let lock: StoreLock
    private let media: BucketMedia.Settings
    private let bucket: BucketReader
    /// Tells the user what this node does.
    private let tell: @Sendable (String) -> Void
    private let state = Lock(State())
    private static let threads = WorkPool(threads: 2)
    /// The time between two checks whether another node is active.
    private static let interval = Duration.milliseconds(500)
    /// On standby, the kept segments may take a quarter of the size of the cache.
    private static let share: UInt64 = 4
    /// How long a node whose disk is full leaves the store to other nodes.
    private static let courtesy = Duration.seconds(10)

    /// Locks the folder and listens, without serving the store yet.
    ///
    /// - Parameters:
    ///   - media: the bucket with the store's media.
    ///   - url: makes the URL at which other nodes reach this one, from the server's port.
    init(
        _ configuration: ServedStore.Configuration, at address: PostgresAddress, media: BucketMedia.Settings,
        url: (_ port: UInt16) throws -> NodeURL, tell: @escaping @Sendable (String) -> Void
    ) throws {
        var configuration = configuration
        paths = StorePaths(root: configuration.root)
        try PlaybackServer.check(configuration.server)
        try FileSystem.makeDirectory(paths.root)
        lock = try StoreLock(paths.lock)
        try NodeFolder(paths).begin(address)
        (configuration.engine.catalog, configuration.engine.lock) = (address, lock)
        listener = try ServerListener(
            configuration.server, policy: try EngineSettings.policy(in: configuration.root))
        node = StoreNode(address, at: try url(listener.port).text)
        (self.configuration, self.address, self.tell) = (configuration, address, tell)
        (self.media, bucket) = (media, try BucketReader(media))
    }

    /// The name and the URL of the node.
    var name: (id: String, url: String) { (node.id, node.url) }

    /// The open store while this node is active; `nil` otherwise.
    var store: OfflineStore? { state.withLock(\.store) }

    // MARK: Waiting

    /// Waits until this node owns the store, then serves it. Returns when the store is served, or when the task is
    /// cancelled.
    func serve() async throws {
        _ = try await patiently { [node, address, paths, media] in
            try node.prepare()
            let catalog = try Catalog(postgres: address)
            defer { catalog.close() }
            try NodeSecrets(paths, catalog).settle()
            // A node with another bucket could not take over.
            if let place = try catalog.storage.mediaPlace(), place != media.place {
                throw StoreError(.mediaElsewhere(place))
            }
            try NodeFolder(paths).confirm(address)
        }
        if !Task.isCancelled {
            try await checkBucket()
            try forward()
        }
        var vacant: MonotonicTime?
        while !Task.isCancelled {
            let claims = mayClaim(vacant: vacant)
            let standing = try await patiently { [node] in try node.look(claims: claims) }
            if case .other(nil)? = standing { vacant = vacant ?? .now } else { vacant = nil }
            switch standing {
            case .own(let ownership)?:
                let lease = HeldLease(ownership, node)
                state.withLock { $0.lease = lease }
                state.withLock(\.forwarder)?.go(to: nil)
                lease.keep()
                return try await open(ownership)
            case .other(let active)?: stand(by: active)
            case nil: return
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// Ends a node that the bucket refuses: it could not take over.
    private func checkBucket() async throws(StoreError) {
        if let trouble = try await BucketMedia.check(media) { configuration.log.warning("\(trouble)") }
    }

    /// Whether this node may take over the store. While its disk is full, it first leaves the store to other nodes.
    ///
    /// - Parameter vacant: the time since which the store has had no owner, as far as this node knows.
    private func mayClaim(vacant: MonotonicTime?) -> Bool {
        if state.withLock(\.forwarder)?.hasRoom ?? true { return true }
        return vacant.map { $0 + Self.courtesy < .now } ?? false
    }

    /// Repeats work that needs the database until the database can be reached; `nil` if the task is cancelled.
    private func patiently<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws
        -> Value?
    {
        while !Task.isCancelled {
            do {
                return try await Self.threads.run { try work() }
            } catch let error as StoreError where StoreNode.isTemporary(error) {
                stand(.waiting(error.message.asSentence), "\(error.occurrence); it is tried again")
                state.withLock(\.forwarder)?.note(trouble: error.message.asSentence)
            }
            try? await Task.sleep(for: Self.interval)
        }
        return nil
    }

    /// Has the listener pass requests on to the active node, as soon as an active node is known.
    private func forward() throws {
        guard let token = APIToken.existing(paths.apiToken) else { return }
        let forwarder = try NodeForwarder(
            configuration.server, port: listener.port, token: token, folder: paths.forwarded,
            size: media.cacheSize / Self.share, bucket: bucket)
        let watch = NodeWatch(node: node, probe: try NodeProbe(token: token), log: configuration.log)
        state.withLock { $0.forwarder = forwarder }
        listener.identify(NodeIdentity(id: node.id, token: token))
        listener.forward(through: forwarder)
        state.withLock { $0.watch = Task { await watch.run() } }
    }

    private func stand(by active: NodeRecord?) {
        let forwarder = state.withLock(\.forwarder)
        forwarder?.note(trouble: nil)
        forwarder?.go(to: active?.url)
        let place = active.map { "the node at \($0.url) is active" } ?? "no node is active"
        guard stand(.standby(active: active?.url), "on standby: \(place)") else { return }
        // Commands on this machine use this server, which passes their requests on.
        try? lock.publish(
            url: active == nil ? nil : listener.address, requiresToken: configuration.server.demandsToken)
    }

    /// Takes the reason for which this node does not serve the store, and tells the user if it is new.
    ///
    /// - Returns: whether the reason is new.
    @discardableResult
    private func stand(_ standing: NodeStanding, _ message: String) -> Bool {
        listener.wait(standing)
        let isNew = state.withLock { state in
            defer { state.standing = standing }
            return state.standing != standing
        }
        if isNew { tell(message) }
        return isNew
    }

    // MARK: Serving

    private func open(_ ownership: StoreOwnership) async throws {
        listener.wait(.starting)
        let configuration = configuration
        let store = try await Self.threads.run { () throws(StoreError) -> OfflineStore in
            var engine = configuration.engine
            engine.ownership = ownership
            return try OfflineStore(root: configuration.root, configuration: engine, log: configuration.log)
        }
        // If the bucket can't be used, the store is closed again.
        if let bucket = store.bucket { try await ServedStore.check(bucket, of: store, configuration.log) }
        state.withLock { $0.store = store }
        let server = try await PlaybackServer.start(
            serving: store, configuration.server, on: listener)
        state.withLock { $0.server = server }
        // Responses that are being passed on continue, as far as they can.
        listener.forward(through: nil)
        state.withLock(\.forwarder)?.empty()
        await store.start()
        tell("active: this node serves the store now (epoch \(ownership.owner.epoch))")
    }

    /// Stops listening, ends all runs and releases the store. Responses that are being sent may go on after that.
    func stop() async {
        let (store, server, lease, forwarder) = state.withLock {
            $0.watch?.cancel()
            return ($0.store, $0.server, $0.lease, $0.forwarder)
        }
        if lease != nil {
            listener.wait(.draining)
            listener.end()
            _ = try? await Self.threads.run { [node] in try node.drain() }
        }
        let isOver = Lock(false)
        let sending = Task {
            await server?.stop()
            isOver.withLock { $0 = true }
        }
        let end = MonotonicTime.now + Self.moment
        while !isOver.withLock(\.self), MonotonicTime.now < end {
            try? await Task.sleep(for: .milliseconds(10))
        }
        await store?.stop()
        lease?.end()
        _ = try? await Self.threads.run { [node] in try node.leave(lease?.ownership) }
        await sending.value
        await listener.stop()
        await forwarder?.stop()
        await bucket.stop()
    }

    /// The time that responses get to end before the store is released. They may go on for longer, but can't read from
    /// the catalog then.
    private static let moment = Duration.seconds(1)
}

/// The lease of the store, renewed while the process lives. If it can't be renewed in time, the process ends: another
/// node may be active by then, and the data of this one may be out of date.
private final class HeldLease: Sendable {
    let ownership: StoreOwnership
    private let node: StoreNode
    private let isEnded = Lock(false)
    private let ending = Condition()

    init(_ ownership: StoreOwnership, _ node: StoreNode) { (self.ownership, self.node) = (ownership, node) }

    /// Renews the lease from now on.
    func keep() {
        Thread.detachNewThread { self.renew() }
        Thread.detachNewThread { self.watch() }
    }

    func end() {
        isEnded.withLock { $0 = true }
        ending.signal()
        ending.signal()
    }

    /// Waits for some milliseconds, or until `end` is called.
    ///
    /// - Returns: `false` if `end` was called.
    private func wait(_ milliseconds: Int64) -> Bool {
        let end = MonotonicTime.now + .milliseconds(milliseconds)
        isEnded.wait(on: ending) { $0 ? nil : end }
        return !isEnded.withLock(\.self)
    }

    private func renew() {
        var pause = StoreLease.renewal
        while wait(pause) {
            do throws(StoreError) {
                guard try node.renew(ownership) else { return give("another node has taken over the store") }
                pause = StoreLease.renewal
            } catch {
                pause = 200
            }
        }
    }

    /// Ends the process when the lease is over. It runs on a thread of its own, because the thread that renews may be
    /// waiting for the database.
    private func watch() {
        while wait(min(max(ownership.rest, 1), 1000)) {
            if ownership.rest <= 0 {
                return give("the catalog's database has not confirmed for 7 s that the store is this node's")
            }
        }
    }

    /// Ends the process at once, so that it writes and serves nothing more.
    private func give(_ reason: String) {
        guard !isEnded.withLock(\.self) else { return }
        let failure = CommandFailure(
            message: "\(reason). This node ends now; start it again, and it stands by",
            status: CommandFailure.storeInUse)
        failure.tell(asJSON: false)
        _exit(failure.status)
    }
}
