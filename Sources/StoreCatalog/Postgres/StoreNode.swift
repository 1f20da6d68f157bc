internal import Locking
internal import PostgresClient

/// One of the processes that share a catalog: it owns the store, or waits for it. Its methods block for some seconds
/// at most, and are called one after the other.
///
/// It has a database connection of its own, so that its lease does not wait for queries.
package final class StoreNode: Sendable {
    /// The name of this run of the program.
    package let id: String
    /// The URL for other nodes.
    package let url: String
    private let address: PostgresAddress
    private let connection = Lock<PostgresConnection?>(nil)
    /// Whether this process moves the store. Only then it may own a store whose move is not finished.
    private let isMoving: Bool
    /// The uptime at which the node's row was last written, in milliseconds.
    private let entered = Lock(Int64.min)
    /// The uptime from which on the rows of dead nodes are deleted again, in milliseconds.
    private let forgets = Lock(Int64.min)
    private static let forgetting: Int64 = 3_600_000

    /// The owner of the store.
    package enum Standing: Sendable {
        /// This node owns the store.
        case own(StoreOwnership)
        /// Another node owns the store; `nil` while the database does not know it.
        case other(NodeRecord?)
    }

    package init(_ address: PostgresAddress, at url: String, isMoving: Bool = false) {
        (self.address, self.url, self.isMoving) = (address, url, isMoving)
        id = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Checks the settings of the server, and makes the tables or brings their format up to date. A database that was
    /// restored from a backup has no nodes of its own yet.
    ///
    /// - Throws: `database`, which is temporary if `isTemporary` is true for it; `storeTooNew`.
    package func prepare() throws(StoreError) {
        try call { connection in
            try PostgresEngine.refuseUnsafeSettings(connection)
            try PostgresSchema.migrate(connection)
            try Self.transaction(connection) { try NodeRows.forgetOtherDatabase(connection) }
        }
    }

    /// Enters this node or renews its row, and claims the store if it has no owner.
    ///
    /// - Parameter claims: whether this node may claim the store.
    /// - Throws: `migrationUnfinished` or `moved` if the store can't be served, because it is being moved or was moved.
    package func look(claims: Bool = true) throws(StoreError) -> Standing {
        let asked = SystemWallClock().uptime
        return try call { connection in
            if entered.withLock({ $0 < asked - StoreLease.renewal }) {
                try NodeRows.enter(id, url, connection)
                entered.withLock { $0 = asked }
                try forgetDead(at: asked, connection)
            }
            let seen = try StoreRow.read(connection)
            guard try !seen.isHeld(at: NodeRows.time(connection)) else {
                return .other(try NodeRows.record(seen.owner, connection))
            }
            guard claims else { return .other(nil) }
            return try Self.transaction(connection) {
                let (lease, now) = try StoreRow.locked(connection)
                guard let claimed = lease.claimed(by: id, at: now) else {
                    return .other(try NodeRows.record(lease.owner, connection))
                }
                if !isMoving { try StoreRow.refuseMoved(connection) }
                try StoreRow.write(claimed, connection)
                try NodeRows.write(claimed, id, connection)
                return .own(
                    StoreOwnership(OwningNode(node: id, epoch: claimed.epoch), asked: asked, time: now))
            }
        }
    }

    /// Deletes the rows of nodes that are gone, when the node starts and then once an hour.
    private func forgetDead(at uptime: Int64, _ connection: PostgresConnection) throws(PostgresError) {
        guard forgets.withLock({ $0 <= uptime }) else { return }
        try NodeRows.forgetDead(connection)
        forgets.withLock { $0 = uptime + Self.forgetting }
    }

    /// Renews the lease of the store.
    ///
    /// - Returns: whether this node still owns the store. An error means that this is unknown.
    package func renew(_ ownership: StoreOwnership) throws(StoreError) -> Bool {
        let asked = SystemWallClock().uptime
        let now: Timestamp? = try call { connection in
            try Self.transaction(connection) {
                // The node's own row comes first: a claim of the store locks it until the claim is written.
                let until = try NodeRows.end(id, connection)
                var lease = try StoreRow.read(connection)
                lease.until = until
                let now = try NodeRows.time(connection)
                guard let renewed = lease.renewed(by: ownership.owner, at: now) else { return nil }
                try NodeRows.write(renewed, id, connection)
                return now
            }
        }
        guard let now else { return false }
        ownership.renewed(asked: asked, time: now)
        // After an error the next renewal deletes them.
        _ = try? call { try forgetDead(at: asked, $0) }
        return true
    }

    /// The other nodes that are alive. May be called while another method runs.
    package func others() throws(StoreError) -> [NodeRecord] {
        try call { try NodeRows.living(except: id, $0) }
    }

    /// Writes to the catalog that this node is about to release the store.
    package func drain() throws(StoreError) { try call { try NodeRows.setDraining(id, $0) } }

    /// Releases the store if this node owns it, and deletes the node's row.
    package func leave(_ ownership: StoreOwnership?) throws(StoreError) {
        try call { connection in
            try Self.transaction(connection) {
                if let ownership {
                    let (lease, _) = try StoreRow.locked(connection)
                    try StoreRow.write(lease.released(by: ownership.owner), connection)
                }
                try NodeRows.delete(id, connection)
            }
        }
    }

    private static func transaction<T>(
        _ connection: PostgresConnection, _ body: () throws -> T
    ) throws -> T {
        try connection.script("BEGIN ISOLATION LEVEL READ COMMITTED")
        let value = try body()
        try connection.script("COMMIT")
        return value
    }

    /// Whether an error is temporary: the database can't be reached now or refuses connections, or a row is locked.
    package static func isTemporary(_ error: StoreError) -> Bool {
        guard case .database(let text, _) = error.code else { return false }
        return [PostgresEngine.unreachable, PostgresEngine.denied, PostgresEngine.lost, PostgresEngine.busy]
            .contains(where: text.hasPrefix)
    }

    private func call<T>(_ body: (PostgresConnection) throws -> T) throws(StoreError) -> T {
        do {
            let connection = try taken()
            let value = try body(connection)
            // An error in the middle may leave a transaction open: the connection is not used again.
            self.connection.withLock { $0 = connection }
            return value
        } catch {
            throw PostgresEngine.failure(error, address)
        }
    }

    private func taken() throws(PostgresError) -> PostgresConnection {
        let known = connection.withLock { connection in
            defer { connection = nil }
            return connection
        }
        if let known, !known.isLost { return known }
        let new = try PostgresConnection(address.url, within: 2)
        new.patience = Self.patience
        try new.script(
            "SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '4s'; SET extra_float_digits = 1"
        )
        return new
    }

    /// The longest wait for an answer of the server.
    private static let patience: Duration = .seconds(5)
}

/// A node's row in the catalog.
package struct NodeRecord: Sendable, Hashable {
    /// The role of a node.
    package enum Role: String, Sendable, CaseIterable {
        /// The node owns the store.
        case active
        /// The node owns the store, and is about to release it.
        case draining
        /// The node waits for the store.
        case standby
        /// The node has not renewed its row in time.
        case gone
    }

    package var id: String
    package var url: String
    package var role: Role
    /// The time at which it was entered.
    package var since: Timestamp
    /// The time until which the node counts as alive, unless it renews its row.
    package var leaseUntil: Timestamp
}
