internal import Locking
internal import Transfers

/// The servers of an engine, of which other processes are told the last one.
final class PublishedServers: Sendable {
    struct Server: Sendable {
        var url: String
        var port: UInt16
        var requiresToken: Bool
    }

    private let servers = Lock<[Server]>([])

    var last: Server? { servers.withLock(\.last) }
    var ports: Set<UInt16> { Set(servers.withLock { $0.map(\.port) }) }

    func add(_ server: Server) { servers.withLock { $0.append(server) } }

    /// Takes a server away.
    func remove(port: UInt16) { servers.withLock { $0.removeAll { $0.port == port } } }
}

extension OfflineStore {
    /// Tells other processes where a server of the engine answers. The engine never downloads from it.
    package func publish(url: String, port: UInt16, requiresToken: Bool = false) throws(StoreError) {
        servers.add(PublishedServers.Server(url: url, port: port, requiresToken: requiresToken))
        loop.refusedLocalPorts = servers.ports
        try publishPolicy()
    }

    /// Takes back what ``publish(url:port:requiresToken:)`` has told: nobody listens on the port any more.
    package func withdraw(port: UInt16) throws(StoreError) {
        servers.remove(port: port)
        loop.refusedLocalPorts = servers.ports
        try lock.publish(
            url: servers.last?.url, storage: keeper.policy,
            requiresToken: servers.last?.requiresToken ?? false)
    }

    /// Tells other processes which policy the engine keeps to, if they are told of it at all.
    func publishPolicy() throws(StoreError) {
        guard let server = servers.last else { return }
        try lock.publish(url: server.url, storage: keeper.policy, requiresToken: server.requiresToken)
    }
}
