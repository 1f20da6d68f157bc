internal import Locking

/// The one thread that watches the times of a daemon: limits of waits, clients that left while they waited, and
/// clients that are too slow to send a request. It sleeps until the earliest of these is due.
final class Watch: Sendable {
    private struct State {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        var connections: [ObjectIdentifier: Connection] = [:]
        var crowd = Crowd()
        var nextLook = MonotonicTime.never
        var admits = true
        var isRunning = true
    }

    /// How often connections are looked at: for slow requests, and for clients that left while they waited.
    private let interval: Duration
    private let limits: HTTPDaemonConfiguration
    /// The response for a client that is too slow to send a request.
    private let tooSlow: Response
    private let state = Lock(State())
    private let changed = Condition()

    init(limits: HTTPDaemonConfiguration, tooSlow: Response) {
        self.limits = limits
        self.tooSlow = tooSlow
        interval = min(.seconds(1), min(limits.headTimeout, limits.bodyTimeout) / 4)
    }

    var connectionCount: Int { state.withLock { $0.connections.count } }

    /// Whether a response is being made or sent on any connection.
    var isBusy: Bool {
        // The connections are copied first: `admit` takes this lock while it holds a connection's lock.
        let connections = state.withLock { Array($0.connections.values) }
        return connections.contains { $0.state.withLock { $0.watch.isAnswering } }
    }

    func opened(_ connection: Connection) {
        state.withLock { state in
            state.connections[ObjectIdentifier(connection)] = connection
            state.crowd.came(state.connections.count)
        }
        look(at: .now + interval)
    }

    func closed(_ connection: Connection) {
        connection.state.withLock { $0.isClosed = true }
        _ = state.withLock { $0.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    /// Takes an exchange that may rest. `false` when the daemon stops: it must not rest any more.
    func admit(_ exchange: Exchange) -> Bool {
        state.withLock { state in
            if state.admits { state.exchanges[ObjectIdentifier(exchange)] = exchange }
            return state.admits
        }
    }

    func ended(_ exchange: Exchange) {
        _ = state.withLock { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }

    /// Looks at everything at `time`, if not earlier.
    func look(at time: MonotonicTime) {
        let isEarlier = state.withLock { state in
            defer { state.nextLook = min(state.nextLook, time) }
            return time < state.nextLook
        }
        if isEarlier { changed.signal() }
    }

    /// From here on no exchange is suspended: the suspended ones are returned, and no other is admitted.
    func close() -> [Exchange] {
        state.withLock { state in
            state.admits = false
            return Array(state.exchanges.values)
        }
    }

    func run() {
        while waitForNextLook() { lookAtAll() }
    }

    func stop() {
        state.withLock { $0.isRunning = false }
        changed.signal()
    }

    private func waitForNextLook() -> Bool {
        state.wait(on: changed) { $0.isRunning ? $0.nextLook : nil }
        return state.withLock { state in
            state.nextLook = .never
            return state.isRunning
        }
    }

    private func lookAtAll() {
        let now = MonotonicTime.now
        let (exchanges, connections) = state.withLock {
            (Array($0.exchanges.values), Array($0.connections.values))
        }
        var next = connections.isEmpty ? MonotonicTime.never : now + interval
        for exchange in exchanges { next = min(next, exchange.check(at: now)) }
        for connection in connections { connection.check(at: now, limits: limits, tooSlow: tooSlow) }
        look(at: next)
        giveBackMemory()
    }

    private func giveBackMemory() {
        let isTime = state.withLock { $0.crowd.hasGone(leaving: $0.connections.count) }
        if isTime { Allocator.trim() }
    }
}
