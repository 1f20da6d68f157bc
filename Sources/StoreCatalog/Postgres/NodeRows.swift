internal import PostgresClient

/// The statements about the rows of nodes. All times are the server's.
enum NodeRows {
    private static let end = "clock_timestamp() + make_interval(secs => \(StoreLease.life) / 1000.0)"

    /// A time as milliseconds.
    static func milliseconds(_ time: String) -> String {
        "CAST(floor(extract(epoch FROM \(time)) * 1000) AS bigint)"
    }

    /// The time of the server.
    static func time(_ connection: PostgresConnection) throws(PostgresError) -> Timestamp {
        let row = try connection.execute("SELECT \(milliseconds("clock_timestamp()"))")
        return Timestamp(milliseconds: row.integer(0, 0) ?? 0)
    }

    /// Enters a node that does not own the store, or renews its row.
    static func enter(_ id: String, _ url: String, _ connection: PostgresConnection) throws(PostgresError) {
        _ = try connection.execute(
            """
            INSERT INTO node (id, url, lease_until) VALUES (?, ?, \(end))
            ON CONFLICT (id) DO UPDATE SET url = excluded.url, lease_until = excluded.lease_until
            """, [.text(id), .text(url)])
    }

    /// The time until which a node counts as alive. The node's row is locked until the transaction ends.
    static func end(_ id: String, _ connection: PostgresConnection) throws(PostgresError) -> Timestamp? {
        let row = try connection.execute(
            "SELECT \(milliseconds("lease_until")) FROM node WHERE id = ? FOR UPDATE", [.text(id)])
        return row.count == 0 ? nil : row.integer(0, 0).map(Timestamp.init)
    }

    /// Sets the time until which a node counts as alive to the end of its lease.
    static func write(
        _ lease: StoreLease, _ id: String, _ connection: PostgresConnection
    ) throws(PostgresError) {
        _ = try connection.execute(
            "UPDATE node SET lease_until = to_timestamp(? / 1000.0) WHERE id = ?",
            [.text("\(lease.until?.milliseconds ?? 0)"), .text(id)])
    }

    static func setDraining(_ id: String, _ connection: PostgresConnection) throws(PostgresError) {
        _ = try connection.execute("UPDATE node SET draining = TRUE WHERE id = ?", [.text(id)])
    }

    static func delete(_ id: String, _ connection: PostgresConnection) throws(PostgresError) {
        _ = try connection.execute("DELETE FROM node WHERE id = ?", [.text(id)])
    }

    /// Deletes the rows of nodes that have shown no sign of life for a day, but never the row of the store's owner.
    static func forgetDead(_ connection: PostgresConnection) throws(PostgresError) {
        try connection.script(
            """
            DELETE FROM node WHERE lease_until < now() - interval '1 day'
                AND id NOT IN (SELECT node FROM store_owner WHERE node IS NOT NULL)
            """)
    }

    /// Deletes the nodes and the lease that came here with a backup of another database. Otherwise a node of the copy
    /// would wait for the active node of the original, and pass requests on to it.
    static func forgetOtherDatabase(_ connection: PostgresConnection) throws(PostgresError) {
        let own = try DatabaseName(connection)
        let row = try connection.execute("SELECT value FROM store_secret WHERE name = 'database' FOR UPDATE")
        guard row.count > 0 else {
            _ = try connection.execute(
                "INSERT INTO store_secret (name, value) VALUES ('database', ?) ON CONFLICT DO NOTHING",
                [.bytes(own.bytes)])
            return
        }
        guard DatabaseName(row.bytes(0, 0) ?? []).isOther(than: own) else { return }
        _ = try connection.execute(
            "UPDATE store_secret SET value = ? WHERE name = 'database'", [.bytes(own.bytes)])
        try connection.script("DELETE FROM node; UPDATE store_owner SET node = NULL")
    }

    /// The columns of `NodeRecord`.
    static let columns = """
        SELECT node.id, url, draining, \(milliseconds("since")), \(milliseconds("lease_until")),
            lease_until > clock_timestamp(), COALESCE(store_owner.node = node.id, FALSE)
        FROM node CROSS JOIN store_owner
        """

    /// A node; `nil` when the catalog does not have it.
    static func record(
        _ id: String?, _ connection: PostgresConnection
    ) throws(PostgresError) -> NodeRecord? {
        guard let id else { return nil }
        let rows = try connection.execute("\(columns) WHERE node.id = ?", [.text(id)])
        return rows.count > 0 ? record(rows, 0) : nil
    }

    /// The living nodes but one.
    static func living(
        except id: String, _ connection: PostgresConnection
    ) throws(PostgresError) -> [NodeRecord] {
        let rows = try connection.execute(
            "\(columns) WHERE node.id != ? AND lease_until > clock_timestamp()", [.text(id)])
        return (0..<rows.count).map { record(rows, $0) }
    }

    private static func record(_ rows: PostgresResult, _ row: Int) -> NodeRecord {
        func flag(_ column: Int) -> Bool { rows.integer(row, column) == 1 }
        return NodeRecord(
            id: rows.text(row, 0) ?? "", url: rows.text(row, 1) ?? "",
            role: NodeRecord.Role(isAlive: flag(5), isOwner: flag(6), isDraining: flag(2)),
            since: Timestamp(milliseconds: rows.integer(row, 3) ?? 0),
            leaseUntil: Timestamp(milliseconds: rows.integer(row, 4) ?? 0))
    }
}

extension NodeRecord.Role {
    init(isAlive: Bool, isOwner: Bool, isDraining: Bool) {
        self = !isAlive ? .gone : !isOwner ? .standby : isDraining ? .draining : .active
    }
}

/// A database among all: its number, and that of its server if the user may read it.
struct DatabaseName: Equatable {
    private let database: String
    private let server: String?

    init(database: String, server: String?) { (self.database, self.server) = (database, server) }

    /// The name of the connection's database.
    init(_ connection: PostgresConnection) throws(PostgresError) {
        let row = try connection.execute(
            """
            SELECT CAST(oid AS text), has_function_privilege('pg_control_system()', 'EXECUTE')
            FROM pg_database WHERE datname = current_database()
            """)
        database = row.text(0, 0) ?? ""
        guard row.integer(0, 1) == 1 else {
            server = nil
            return
        }
        server = try connection.execute(
            "SELECT CAST(system_identifier AS text) FROM pg_control_system()"
        ).text(0, 0)
    }

    init(_ bytes: [UInt8]) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
        (database, server) = (words.first ?? "", words.count > 1 ? words[1] : nil)
    }

    /// The name as it is stored.
    var bytes: [UInt8] { Array([database, server].compactMap(\.self).joined(separator: " ").utf8) }

    /// Whether it is surely another database; the number of a server may be unknown.
    func isOther(than name: DatabaseName) -> Bool {
        guard database == name.database else { return true }
        guard let server, let other = name.server else { return false }
        return server != other
    }
}

/// The row with the owner of the store.
enum StoreRow {
    /// The lease; another node may change it at any time.
    static func read(_ connection: PostgresConnection) throws(PostgresError) -> StoreLease {
        let row = try connection.execute(
            """
            SELECT store_owner.node, epoch, \(NodeRows.milliseconds("lease_until"))
            FROM store_owner LEFT JOIN node ON node.id = store_owner.node
            """)
        return StoreLease(
            owner: row.text(0, 0), epoch: row.integer(0, 1) ?? 0,
            until: row.integer(0, 2).map(Timestamp.init))
    }

    /// The lease and the time, locked: until the transaction ends, no other transaction writes to the catalog or
    /// renews this lease.
    static func locked(
        _ connection: PostgresConnection
    ) throws(PostgresError) -> (lease: StoreLease, now: Timestamp) {
        let row = try connection.execute("SELECT node, epoch FROM store_owner FOR UPDATE")
        var lease = StoreLease(owner: row.text(0, 0), epoch: row.integer(0, 1) ?? 0)
        if let owner = lease.owner { lease.until = try NodeRows.end(owner, connection) }
        return (lease, try NodeRows.time(connection))
    }

    /// - Throws: `migrationUnfinished` if the move of a store to this catalog is not finished, `moved` if the store
    ///   was moved to another catalog.
    static func refuseMoved(_ connection: PostgresConnection) throws {
        let row = try connection.execute(MigrationRow.read)
        guard row.count > 0, let bytes = row.bytes(0, 0) else { return }
        if let refusal = try MigrationNote(bytes).refusal(undo: MigrationRow.undo) { throw refusal }
    }

    static func write(_ lease: StoreLease, _ connection: PostgresConnection) throws(PostgresError) {
        _ = try connection.execute(
            "UPDATE store_owner SET node = ?, epoch = ?",
            [lease.owner.map(PostgresParameter.text) ?? .null, .text("\(lease.epoch)")])
    }
}
