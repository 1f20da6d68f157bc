internal import Dispatch
internal import Glibc
internal import Locking
internal import PostgresClient

/// Tells other processes of events (NOTIFY), and receives theirs (LISTEN). A lost notification costs half a second:
/// the log is read twice a second.
final class PostgresNews: Sendable {
    private struct State {
        var isEnded = false
        /// Whether a notification is about to be sent.
        var willTell = false
        var lastLook: MonotonicTime?
        /// The last event that this process has seen.
        var seen: Int64?
    }

    private let address: PostgresAddress
    private let pool: PostgresPool
    private let hub: EventHub
    private let state = Lock(State())
    private let telling = DispatchQueue(label: "offline-server.notify", qos: .utility)
    private let listening = DispatchQueue(label: "offline-server.listen", qos: .utility)

    init(_ address: PostgresAddress, pool: PostgresPool, hub: EventHub) {
        self.address = address
        self.pool = pool
        self.hub = hub
    }

    /// The last time at which the log was read.
    var lastLook: MonotonicTime? { state.withLock(\.lastLook) }

    /// Listens from now on.
    func begin() { listening.async { self.listen() } }

    /// Ends the listening, within half a second.
    func end() { state.withLock { $0.isEnded = true } }

    private var isEnded: Bool { state.withLock(\.isEnded) }

    private func listen() {
        while !isEnded {
            // Errors are ignored, and the connection is made again after 0.2 s. Calls to the catalog report the
            // error.
            try? follow()
            usleep(200_000)
        }
    }

    private func follow() throws {
        let connection = try pool.connect()
        try connection.script("LISTEN \(Self.channel)")
        var swept = MonotonicTime.now
        while !isEnded {
            try look(connection)
            if swept + Self.sweepInterval < .now {
                try connection.script("DELETE FROM commit_mark WHERE at < now() - interval '1 hour'")
                swept = .now
            }
            _ = try connection.awaitNotification(Self.interval)
        }
    }

    /// The interval at which commit marks older than an hour are deleted. No transaction needs them any more.
    private static let sweepInterval: Duration = .seconds(600)

    private func look(_ connection: PostgresConnection) throws {
        let last = try connection.execute("SELECT value FROM event_counter").integer(0, 0) ?? 0
        let isNews = state.withLock { state in
            state.lastLook = .now
            defer { state.seen = last }
            return state.seen != last
        }
        if isNews { hub.signal() }
    }

    private static let channel = "offline_server_events"
    /// How often the log is looked at without a notification.
    private static let interval: Duration = .milliseconds(500)
    /// NOTIFY takes a lock of the whole database as it commits: it is sent 20 times a second at most, for all events
    /// until then.
    private static let pause = DispatchTimeInterval.milliseconds(50)

    /// Tells other processes that there are events.
    func tell() {
        let isFirst = state.withLock { state in
            defer { state.willTell = true }
            return !state.willTell && !state.isEnded
        }
        guard isFirst else { return }
        telling.asyncAfter(deadline: .now() + Self.pause) { self.notify() }
    }

    private func notify() {
        guard
            state.withLock({ state in
                state.willTell = false
                return !state.isEnded
            })
        else { return }
        // A process that misses it reads the log within half a second.
        _ = try? pool.use(until: .now) { try $0.script("NOTIFY \(Self.channel)") }
    }
}
