internal import Locking
internal import PostgresClient

/// One of the processes that share a catalog: it owns the store, or waits until it does. Its calls block for some seconds at
/// most, and come one after the other.
///
/// It talks to the database by a connection of its own, so that its lease does not wait for queries.
package final class StoreNode: Sendable {
    /// The name of this run of the program.
    package let id: String
    /// The URL at which others reach it.
    package let url: String
    private let address: PostgresAddress
    private let connection = Lock<PostgresConnection?>(nil)
    /// The moment when the node's row was written last.
    private let entered = Lock(Int64.min)

    /// The store as a node finds it.
    package enum Standing: Sendable {
        /// It is this node's.
        case own(StoreOwnership)
        /// It is another one's; `nil` while that is unknown to the database.
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

    /// Enters this node or renews its row, and claims the store when nobody owns it.
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
    /// - Returns: whether the store is still this node's. What the database can't be asked about is not known.
    package func renew(_ ownership: StoreOwnership) throws(StoreError) -> Bool {
        let asked = SystemWallClock().uptime
        let now: Timestamp? = try call { connection in
            try Self.transaction(connection) {
                // Its own row first: who claims the store holds it until the claim is written.
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

    /// Whether an error says that the database can't be asked for now, or that somebody holds what was wanted.
    package static func isTemporary(_ error: StoreError) -> Bool {
        guard case .database(let text, _) = error.code else { return false }
        return [PostgresEngine.unreachable, PostgresEngine.lost, PostgresEngine.busy]
            .contains(where: text.hasPrefix)
    }

    private func call<T>(_ body: (PostgresConnection) throws -> T) throws(StoreError) -> T {
        do {
            let connection = try taken()
            let value = try body(connection)
            // What fails in the middle may leave a transaction open: its connection is not used again.
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

    /// The server ends a transaction that somebody has left open within ten seconds, and the claim goes on behind it.
    private static let patience: Duration = .seconds(5)
}

/// A node as the catalog has it.
package struct NodeRecord: Sendable, Hashable {
    /// What a node does.
    package enum Role: String, Sendable, CaseIterable {
        /// It owns the store.
        case active
        /// It owns the store, and is about to give it back.
        case draining
        /// It waits until nobody owns the store.
        case standby
        /// It was not heard of for longer than a lease lasts.
        case gone
    }

    package var id: String
    package var url: String
    package var role: Role
    /// When it was entered.
    package var since: Timestamp
    /// The end of its life, unless it is heard of again.
    package var leaseUntil: Timestamp
}
