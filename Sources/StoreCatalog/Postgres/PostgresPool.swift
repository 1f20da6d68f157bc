internal import Locking
internal import PostgresClient

/// How a process uses PostgreSQL.
package struct PostgresLimits: Sendable {
    /// How many connections there may be at once, beside the one that listens.
    package var connections = 8
    /// How long a call waits for a connection, or for a server that is away.
    package var patience: Duration = .seconds(5)

    package init() {}
}

/// The address of a database.
package struct PostgresAddress: Sendable {
    let url: String
    /// The address without its password.
    package let shown: String

    /// - Parameter url: `postgresql://USER@HOST:PORT/DATABASE`, as libpq reads it.
    package init(_ url: String) {
        self.url = url
        shown = Self.shown(url)
    }

    private static func shown(_ url: String) -> String {
        var text = url[...]
        if let query = text.firstIndex(of: "?") { text = text[..<query] }
        guard let scheme = text.firstRange(of: "://"), let at = text.lastIndex(of: "@"),
            let colon = text[scheme.upperBound..<at].firstIndex(of: ":")
        else { return String(text) }
        return "\(text[..<colon])\(text[at...])"
    }
}

/// Connections to the server: so many at most, each of them used by one call at a time.
final class PostgresPool: Sendable {
    private struct State {
        var idle: [PostgresConnection] = []
        /// How many there are, also those in use.
        var count = 0
        var isClosed = false
    }

    let limits: PostgresLimits
    private let address: PostgresAddress
    private let state = Lock(State())
    private let freed = Condition()

    init(_ address: PostgresAddress, _ limits: PostgresLimits) {
        self.address = address
        self.limits = limits
    }

    /// Runs `body` with a connection. It is kept for the next call, unless it was lost.
    ///
    /// - Throws: `unreachable` when there is none until `deadline`.
    func use<T>(until deadline: MonotonicTime, _ body: (PostgresConnection) throws -> T) throws -> T {
        let connection = try take(until: deadline)
        defer { giveBack(connection) }
        return try body(connection)
    }

    private enum Place {
        case idle(PostgresConnection)
        case new
        case closed
        case none
    }

    private func take(until deadline: MonotonicTime) throws -> PostgresConnection {
        while true {
            switch place(until: deadline) {
            case .idle(let connection): return connection
            case .closed: throw StoreError(.stopped(.closing))
            case .none: throw PostgresError.unreachable("all \(limits.connections) connections are in use")
            case .new:
                do {
                    return try connect()
                } catch {
                    forget()
                    guard case .unreachable = error, MonotonicTime.now + Self.pause < deadline else {
                        throw error
                    }
                    // The server is away, or starts: it is asked again soon.
                    state.wait(on: freed, until: Self.after(Self.pause))
                }
            }
        }
    }

    private static let pause: Duration = .milliseconds(100)

    private static func after(_ time: Duration) -> (inout State) -> MonotonicTime? {
        let end = MonotonicTime.now + time
        return { $0.isClosed || .now >= end ? nil : end }
    }

    private func place(until deadline: MonotonicTime) -> Place {
        var place = Place.none
        state.wait(on: freed) { state in
            if state.isClosed {
                place = .closed
            } else if let connection = state.idle.popLast() {
                place = .idle(connection)
            } else if state.count < limits.connections {
                state.count += 1
                place = .new
            } else {
                return deadline
            }
            return nil
        }
        return place
    }

    /// A new connection, which ends transactions that nobody goes on with.
    func connect() throws(PostgresError) -> PostgresConnection {
        let connection = try PostgresConnection(address.url)
        try connection.script(
            """
            SET idle_in_transaction_session_timeout = '10s'; SET statement_timeout = '30s';
            SET lock_timeout = '10s'; SET extra_float_digits = 1
            """)
        return connection
    }

    private func giveBack(_ connection: PostgresConnection) {
        state.withLock { state in
            guard !connection.isLost, !state.isClosed else {
                state.count -= 1
                // The server has ended the others, too: they are not tried one by one.
                if connection.isLost {
                    state.count -= state.idle.count
                    state.idle = []
                }
                return
            }
            state.idle.append(connection)
        }
        freed.signal()
    }

    private func forget() {
        state.withLock { $0.count -= 1 }
        freed.signal()
    }

    /// Ends the connections; nobody uses any.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.count -= state.idle.count
            state.idle = []
        }
        freed.signal()
    }
}
