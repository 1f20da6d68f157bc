internal import Locking
internal import Transfers

/// The servers of an engine. The address of the latest one is published for other processes.
package final class PublishedServers: Sendable {
    struct Server: Sendable {
        var url: String
        var port: UInt16
        var requiresToken: Bool
    }

    private let loop: TransferLoop
    private let lock: StoreLock
    private let keeper: StorageKeeper
    private let servers = Lock<[Server]>([])

    private var last: Server? { servers.withLock(\.last) }
    private var ports: Set<UInt16> { Set(servers.withLock { $0.map(\.port) }) }

    init(loop: TransferLoop, lock: StoreLock, keeper: StorageKeeper) {
        self.loop = loop
        self.lock = lock
        self.keeper = keeper
    }

    /// Publishes the address of a server of the engine for other processes. The engine never downloads from it.
    package func publish(url: String, port: UInt16, requiresToken: Bool = false) throws(StoreError) {
        servers.withLock { $0.append(Server(url: url, port: port, requiresToken: requiresToken)) }
        loop.refusedLocalPorts = ports
        try publishPolicy()
    }

    /// Withdraws a server that no longer listens on the port.
    package func withdraw(port: UInt16) throws(StoreError) {
        servers.withLock { $0.removeAll { $0.port == port } }
        loop.refusedLocalPorts = ports
        try lock.publish(
            url: last?.url, storage: keeper.policy, requiresToken: last?.requiresToken ?? false)
    }

    /// Publishes the engine's storage policy for other processes, if a server is published.
    func publishPolicy() throws(StoreError) {
        guard let server = last else { return }
        try lock.publish(url: server.url, storage: keeper.policy, requiresToken: server.requiresToken)
    }
}
