internal import Locking
internal import PostgresClient

/// The limits of a process's connections to PostgreSQL.
package struct PostgresLimits: Sendable {
    /// The largest number of connections, beside the one that listens.
    package var connections = 8
    /// The longest time that a call waits for a free connection, or for a server that can't be reached.
    package var patience: Duration = .seconds(5)

    package init() {}
}

/// The address of a database.
package struct PostgresAddress: Sendable {
    let url: String
    /// The address without its password.
    package let shown: String
    /// The passwords to hide in messages, as they stand in the address.
    private let secrets: [String]

    /// - Parameter url: `postgresql://USER@HOST:PORT/DATABASE`, as libpq reads it.
    package init(_ url: String) {
        self.url = url
        var text = url[...]
        var secrets: [String] = []
        if let query = text.firstIndex(of: "?") {
            secrets = text[query...].dropFirst().split(separator: "&").compactMap(Self.password)
            text = text[..<query]
        }
        let scheme = text.firstRange(of: "://")
        if let scheme, let at = text.lastIndex(of: "@"),
            let colon = text[scheme.upperBound..<at].firstIndex(of: ":")
        {
            secrets.append(String(text[text.index(after: colon)..<at]))
            shown = "\(text[..<colon])\(text[at...])"
        } else {
            // libpq reads other forms, too, in which secrets can't be recognized.
            shown = scheme == nil ? "a database" : String(text)
        }
        self.secrets = secrets.filter { !$0.isEmpty }
    }

    private static func password(_ item: Substring) -> String? {
        let parts = item.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, ["password", "sslpassword"].contains(parts[0]) else { return nil }
        return String(parts[1])
    }

    /// The fault of an address; `nil` when it can be read.
    package static func fault(of url: String) -> String? {
        guard ["postgresql://", "postgres://"].contains(where: url.hasPrefix) else {
            return "name the database as postgresql://USER@HOST:PORT/DATABASE"
        }
        do throws(PostgresError) {
            return try PostgresConnection.fault(of: url).map(PostgresAddress(url).withoutSecrets)
        } catch {
            return PostgresEngine.failure(error, PostgresAddress(url)).message
        }
    }

    /// A message of the library without secrets.
    func withoutSecrets(_ text: String) -> String {
        ([url] + secrets).reduce(text) { $0.replacing($1, with: "…") }
    }
}

/// A limited number of connections to the server. One call at a time uses a connection.
final class PostgresPool: Sendable {
    private struct State {
        var idle: [PostgresConnection] = []
        /// The number of open connections, including those in use.
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

    /// Runs `body` with a connection. The connection is kept for the next call, unless it was lost.
    ///
    /// - Throws: `unreachable` if no connection is free before `deadline`.
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
                    // The server can't be reached, or is starting: it is tried again soon.
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

    /// Makes a connection. The server ends its idle transactions after 10 s.
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
                // The server has probably ended the other connections, too, so all idle connections are dropped.
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

    /// Closes the idle connections and refuses new calls. Connections in use are closed when their calls end.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.count -= state.idle.count
            state.idle = []
        }
        freed.signal()
    }
}
