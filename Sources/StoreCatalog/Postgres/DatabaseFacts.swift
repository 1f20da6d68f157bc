internal import PostgresClient

/// The facts of a shared catalog and its server that a check-up judges. Reading them changes nothing.
package struct DatabaseFacts: Sendable {
    /// The format of the tables.
    package enum Format: Sendable, Equatable {
        case none, older, current, newer
    }

    /// The version of the server, such as 150003.
    package var version = 0
    /// Settings that may lose acknowledged commits, with their values.
    package var unsafeSettings: [String] = []
    /// Whether the server is a replica that accepts no changes.
    package var isReadOnly = false
    package var format = Format.none
    /// Columns whose texts are not compared byte by byte.
    package var collated: [String] = []
    /// The server's clock, minus that of this machine, in milliseconds.
    package var clockDifference: Int64 = 0
    /// The fingerprint of the store key.
    package var key: [UInt8]?
    package var note: MigrationNote?

    /// The oldest version of PostgreSQL that can be used.
    package static let oldestVersion = 140_000

    /// - Throws: `database` if the server can't be reached.
    package static func read(_ address: PostgresAddress) throws(StoreError) -> DatabaseFacts {
        do {
            let connection = try PostgresConnection(address.url)
            connection.patience = .seconds(10)
            var facts = DatabaseFacts()
            try facts.readServer(connection)
            try facts.readTables(connection)
            return facts
        } catch {
            throw PostgresEngine.failure(error, address)
        }
    }

    private mutating func readServer(_ connection: PostgresConnection) throws {
        let row = try connection.execute(
            """
            SELECT current_setting('server_version_num'), current_setting('synchronous_commit'),
                current_setting('fsync'), current_setting('full_page_writes'), pg_is_in_recovery()
            """)
        version = Int(row.text(0, 0) ?? "") ?? 0
        for (place, name) in [(1, "synchronous_commit"), (2, "fsync"), (3, "full_page_writes")]
        where row.text(0, place) == "off" { unsafeSettings.append(name) }
        isReadOnly = row.integer(0, 4) == 1
        let before = SystemWallClock().now.milliseconds
        let there = try NodeRows.time(connection).milliseconds
        let after = SystemWallClock().now.milliseconds
        clockDifference = Self.difference(of: there, from: before...max(before, after))
    }

    /// Milliseconds by which a clock that was read within a span of another clock surely differs from that: ahead of
    /// it when positive.
    static func difference(of clock: Int64, from span: ClosedRange<Int64>) -> Int64 {
        clock < span.lowerBound ? clock - span.lowerBound : max(0, clock - span.upperBound)
    }

    private mutating func readTables(_ connection: PostgresConnection) throws {
        guard try connection.execute("SELECT to_regclass('migration') IS NOT NULL").integer(0, 0) == 1 else {
            return
        }
        format = try PostgresSchema.format(connection)
        guard format == .current else { return }
        let columns = try connection.execute(
            """
            SELECT table_name || '.' || column_name, CAST(table_name AS text)
            FROM information_schema.columns WHERE table_schema = current_schema()
                AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C' ORDER BY 1
            """)
        let known = PostgresSchema.tables
        collated = (0..<columns.count).compactMap { row in
            columns.text(row, 1).map(known.contains) == true ? columns.text(row, 0) : nil
        }
        let secrets = try connection.execute("SELECT value FROM store_secret WHERE name = 'store-key'")
        if secrets.count > 0 { key = secrets.bytes(0, 0) }
        let notes = try connection.execute(MigrationRow.read)
        if notes.count > 0 { note = try MigrationNote(notes.bytes(0, 0) ?? []) }
    }
}
