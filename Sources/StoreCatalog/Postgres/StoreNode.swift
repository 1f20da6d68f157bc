internal import Locking
internal import PostgresClient

/// One of the processes that share a catalog: it owns the store, or waits for it. Its calls block for some seconds at
/// most, and follow one another.
///
/// It has a database connection of its own, so that its lease does not wait for queries.
package final class StoreNode: Sendable {
    /// The name of this run of the program.
    package let id: String
    /// The URL for other nodes.
    package let url: String
    private let address: PostgresAddress
    private let connection = Lock<PostgresConnection?>(nil)
    /// The moment when the node's row was written last.
    private let entered = Lock(Int64.min)

    /// The store as a node finds it.
    package enum Standing: Sendable {
        /// This node owns the store.
        case own(StoreOwnership)
        /// Another node owns the store; `nil` while the database does not know it.
        case other(NodeRecord?)
    }

    package init(_ address: PostgresAddress, at url: String) {
        (self.address, self.url) = (address, url)
        id = String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Checks the settings of the server, and makes the tables or brings their format up to date.
    ///
    /// - Throws: `database`, which may pass when `isTemporary` says so; `storeTooNew`.
    package func prepare() throws(StoreError) {
        try call { connection in
            try PostgresEngine.refuseUnsafeSettings(connection)
            try PostgresSchema.migrate(connection)
        }
    }

    /// Enters this node or renews its row, and claims the store if it has no owner.
    package func look() throws(StoreError) -> Standing {
        let asked = SystemWallClock().uptime
        return try call { connection in
            if entered.withLock({ $0 < asked - StoreLease.renewal }) {
                try NodeRows.enter(id, url, connection)
                entered.withLock { $0 = asked }
            }
            let seen = try StoreRow.read(connection)
            guard try !seen.isHeld(at: NodeRows.time(connection)) else {
                return .other(try NodeRows.record(seen.owner, connection))
            }
            return try Self.transaction(connection) {
                let (lease, now) = try StoreRow.locked(connection)
                guard let claimed = lease.claimed(by: id, at: now) else {
                    return .other(try NodeRows.record(lease.owner, connection))
                }
                try StoreRow.write(claimed, connection)
                try NodeRows.write(claimed, id, connection)
                try NodeRows.forgetDead(connection)
                return .own(
                    StoreOwnership(OwningNode(node: id, epoch: claimed.epoch), asked: asked, time: now))
            }
        }
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
        return true
    }

    /// Says that this node takes no new work.
    package func drain() throws(StoreError) { try call { try NodeRows.setDraining(id, $0) } }

    /// Gives the store back, when it is this node's, and takes the node out of the catalog.
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

    /// Whether an error is temporary: the database can't be reached now, or a row is locked.
    package static func isTemporary(_ error: StoreError) -> Bool {
        guard case .database(let text, _) = error.code else { return false }
        return [PostgresEngine.unreachable, PostgresEngine.lost, PostgresEngine.busy]
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

    /// The server ends an abandoned transaction within ten seconds; then the claim continues.
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
        /// The node has shown no sign of life for longer than a lease lasts.
        case gone
    }

    package var id: String
    package var url: String
    package var role: Role
    /// The time at which it was entered.
    package var since: Timestamp
    /// The end of its life, unless it is heard of again.
    package var leaseUntil: Timestamp
}
