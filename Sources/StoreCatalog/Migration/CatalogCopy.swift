/// Copies all rows of a catalog into a catalog of the other database engine.
///
/// It copies the tables and columns that both databases have, as the databases describe them. `apart` lists the tables
/// that are not copied, and the reasons.
package struct CatalogCopy {
    /// The values that differ in the new store.
    package struct Changes {
        /// The object of a unit, by its row in the old store; `nil` for a unit that is not in a bucket.
        package var object: (UnitRow) -> String?
        /// The time of a rendition's folder; `nil` when it is not known.
        package var folderTime: (_ rendition: Int64) -> Int64?
        /// The bucket with the media; `nil` for the store's folder.
        package var mediaPlace: String?
        /// The files that a shared catalog keeps. `read` gives the content of one.
        package var keptFiles: [KeptPath] = []
        package var read: (KeptPath) throws -> [UInt8]?

        package init(
            object: @escaping (UnitRow) -> String?, folderTime: @escaping (Int64) -> Int64?,
            mediaPlace: String?, keptFiles: [KeptPath] = [],
            read: @escaping (KeptPath) throws -> [UInt8]? = { _ in nil }
        ) {
            (self.object, self.folderTime, self.mediaPlace) = (object, folderTime, mediaPlace)
            (self.keptFiles, self.read) = (keptFiles, read)
        }
    }

    /// The values of a unit's row that decide its object.
    package struct UnitRow {
        package var rendition: Int64
        package var isStored: Bool
        package var sha256: [UInt8]?
        package var object: String?
    }

    /// Tables that are not copied.
    static let apart: Set<String> = [
        // The search index of subtitles is made again from the stored subtitles.
        "cue", "cue_track", "cue_data", "cue_idx", "cue_content", "cue_docsize", "cue_config",
        // Says whether addresses of an older version must be sealed. That is done before the copy.
        "clear_address",
        // Files that the old store is about to delete. They are not moved.
        "disposal",
        // Their rows are written by `enterApart` (from `Changes`) and `setCounters`.
        "media_place", "kept_file", "event_counter", "sqlite_sequence",
        // The nodes, secrets and notes of the store, and the formats of the databases.
        "node", "store_owner", "store_secret", "commit_mark", "migration", "grdb_migrations",
    ]

    private let source: Catalog
    private let target: Catalog
    private let changes: Changes
    /// Called with the number of rows that were copied so far.
    private let copied: (Int) -> Void
    private static let batch = 50
    private static let page = 1000

    package init(
        from source: Catalog, to target: Catalog, _ changes: Changes, copied: @escaping (Int) -> Void
    ) {
        (self.source, self.target, self.changes, self.copied) = (source, target, changes, copied)
    }

    /// Copies all rows in one transaction, and then runs `finish` in it. Rows of an earlier try are replaced.
    ///
    /// - Returns: the number of rows.
    @discardableResult
    package func run(_ finish: (any SQLSession) throws -> Void) throws(StoreError) -> Int {
        let tables = try tables()
        return try source.read { old in
            try target.write(.store) { new in
                for table in tables.reversed() { try new.execute("DELETE FROM \(table.name)") }
                var count = 0
                for table in tables { try copy(table, old, new, &count) }
                try setCounters(tables, old, new)
                try enterApart(new)
                try finish(new)
                return count
            }
        }
    }

    // MARK: Tables

    /// The tables that both databases have. A table comes after the tables that it refers to.
    func tables() throws(StoreError) -> [CopiedTable] {
        let (lite, large) = try (described(.sqlite), described(.postgres))
        let names = Set(lite.keys).intersection(large.keys).subtracting(Self.apart)
        let rank = ["asset": 0, "rendition": 1]
        return names.sorted { (rank[$0] ?? 2, $0) < (rank[$1] ?? 2, $1) }.map { name in
            let known = Set(lite[name]?.columns.map(\.name) ?? [])
            var table = large[name] ?? CopiedTable(name: name)
            table.columns.removeAll { !known.contains($0.name) }
            table.key = lite[name]?.key ?? []
            return table
        }
    }

    /// The tables of one of the two databases.
    func described(_ dialect: SQLDialect) throws(StoreError) -> [String: CopiedTable] {
        for catalog in [source, target] {
            let found = try catalog.read { session -> [String: CopiedTable]? in
                guard session.dialect == dialect else { return nil }
                return try dialect == .sqlite ? Self.liteTables(session) : Self.largeTables(session)
            }
            if let found { return found }
        }
        return [:]
    }

    private static func liteTables(_ session: any SQLSession) throws -> [String: CopiedTable] {
        var tables: [String: CopiedTable] = [:]
        try session.each(
            """
            SELECT m.name, c.name, c.pk FROM sqlite_master AS m, pragma_table_info(m.name) AS c
            WHERE m.type = 'table' ORDER BY m.name, c.pk
            """
        ) { row in
            let (table, column): (String, String) = (row[0], row[1])
            tables[table, default: CopiedTable(name: table)].columns.append(.init(name: column, type: .text))
            if row[2] as Int > 0 { tables[table]?.key.append(column) }
        }
        return tables
    }

    private static func largeTables(_ session: any SQLSession) throws -> [String: CopiedTable] {
        var tables: [String: CopiedTable] = [:]
        try session.each(
            """
            SELECT CAST(table_name AS text), CAST(column_name AS text), CAST(data_type AS text),
                is_identity = 'YES'
            FROM information_schema.columns WHERE table_schema = current_schema()
            ORDER BY table_name, ordinal_position
            """
        ) { row in
            let (table, column): (String, String) = (row[0], row[1])
            let type = CopiedTable.ValueType(postgres: row[2])
            tables[table, default: CopiedTable(name: table)].columns.append(.init(name: column, type: type))
            if row[3] as Bool { tables[table]?.hasIdentity = true }
        }
        return tables
    }

    // MARK: Rows

    private func copy(
        _ table: CopiedTable, _ old: any SQLSession, _ new: any SQLSession, _ count: inout Int
    ) throws {
        var last: [SQLValue] = []
        var hasMore = true
        while hasMore {
            let rows = try page(of: table, after: last, old)
            hasMore = rows.count == Self.page
            last = rows.last.map { table.key(of: $0) } ?? []
            for start in stride(from: 0, to: rows.count, by: Self.batch) {
                try insert(
                    rows[start..<min(start + Self.batch, rows.count)].map { changed($0, table) }, table, new)
            }
            count += rows.count
            copied(count)
        }
    }

    /// The rows that follow a key, in the order of the keys.
    private func page(
        of table: CopiedTable, after last: [SQLValue], _ old: any SQLSession
    ) throws -> [[SQLValue]] {
        let key = table.key.joined(separator: ", ")
        let marks = table.key.map { _ in "?" }.joined(separator: ", ")
        let condition = last.isEmpty ? "" : "WHERE (\(key)) > (\(marks))"
        do {
            return try old.rows(
                "SELECT \(table.names) FROM \(table.name) \(condition) ORDER BY \(key) LIMIT \(Self.page)",
                SQLArguments(last)
            ) { row in
                table.columns.enumerated().map { $1.type.value($0, of: row) }
            }
        } catch {
            // Converted here, because the target's engine would take it for an error of its own.
            throw source.failure(error)
        }
    }

    private func insert(_ rows: [[SQLValue]], _ table: CopiedTable, _ new: any SQLSession) throws {
        let row = "(\(table.columns.map { _ in "?" }.joined(separator: ", ")))"
        let isIdentity = table.hasIdentity && new.dialect == .postgres
        let start =
            "INSERT INTO \(table.name) (\(table.names)) \(isIdentity ? "OVERRIDING SYSTEM VALUE " : "")VALUES "
        // A full batch is one statement, and each other row is one: so a table needs two prepared statements.
        guard rows.count < Self.batch else {
            let marks = Array(repeating: row, count: rows.count).joined(separator: ", ")
            try new.execute(start + marks, SQLArguments(rows.flatMap(\.self)))
            return
        }
        for values in rows { try new.execute(start + row, SQLArguments(values)) }
    }

    /// The row with the values of the new store.
    private func changed(_ values: [SQLValue], _ table: CopiedTable) -> [SQLValue] {
        var values = values
        switch table.name {
        case "unit":
            guard let place = table.place(of: "object") else { return values }
            let object = changes.object(unit(values, table))
            values[place] = object.map(SQLValue.text) ?? .null
        case "rendition":
            guard let place = table.place(of: "folder_time"),
                case .integer(let id)? = table.value("id", values)
            else { return values }
            values[place] = changes.folderTime(id).map(SQLValue.integer) ?? .null
        default: break
        }
        return values
    }

    private func unit(_ values: [SQLValue], _ table: CopiedTable) -> UnitRow {
        let stored = SQLValue.integer(Int64(UnitState.stored.rawValue))
        var unit = UnitRow(rendition: 0, isStored: table.value("state", values) == stored)
        if case .integer(let id)? = table.value("rendition", values) { unit.rendition = id }
        if case .bytes(let hash)? = table.value("sha256", values) { unit.sha256 = hash }
        if case .text(let object)? = table.value("object", values) { unit.object = object }
        return unit
    }

    // MARK: The rest

    /// Sets the counters, so that new rows and events get the numbers after the copied ones.
    private func setCounters(
        _ tables: [CopiedTable], _ old: any SQLSession, _ new: any SQLSession
    ) throws {
        let last = try lastEvent(old)
        guard new.dialect == .postgres else {
            try new.execute("DELETE FROM sqlite_sequence WHERE name = 'event'")
            try new.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('event', ?)", [last])
            return
        }
        try new.execute("UPDATE event_counter SET value = ?", [last])
        for table in tables where table.hasIdentity {
            let highest: Int64? = try new.value("SELECT max(id) FROM \(table.name)")
            guard let highest else { continue }
            try new.execute("SELECT setval(pg_get_serial_sequence('\(table.name)', 'id'), ?)", [highest])
        }
    }

    private func lastEvent(_ old: any SQLSession) throws -> Int64 {
        do {
            return try old.value(EventLog.counter(old.dialect)) ?? 0
        } catch {
            throw source.failure(error)
        }
    }

    private func enterApart(_ new: any SQLSession) throws {
        try new.execute("DELETE FROM media_place")
        if let place = changes.mediaPlace {
            try new.execute("INSERT INTO media_place (id, place) VALUES (1, ?)", [place])
        }
        guard new.dialect == .postgres else { return }
        for file in changes.keptFiles {
            guard let body = try changes.read(file) else { continue }
            try new.execute(
                "INSERT INTO kept_file (asset, path, body) VALUES (?, ?, ?)",
                [file.token.description, file.path, body])
        }
    }
}

/// A table that both databases have.
struct CopiedTable {
    /// The type by which a column's values are read.
    enum ValueType {
        case integer, real, text, bytes

        init(postgres type: String) {
            self =
                switch type {
                case "bigint", "integer", "boolean": .integer
                case "double precision": .real
                case "bytea": .bytes
                default: .text
                }
        }

        func value(_ place: Int, of row: any SQLRow) -> SQLValue {
            switch self {
            case .integer: row.integer(.at(place)).map(SQLValue.integer) ?? .null
            case .real: row.real(.at(place)).map(SQLValue.real) ?? .null
            case .text: row.text(.at(place)).map(SQLValue.text) ?? .null
            case .bytes: row.bytes(.at(place)).map(SQLValue.bytes) ?? .null
            }
        }
    }

    struct Column {
        var name: String
        var type: ValueType
    }

    var name: String
    var columns: [Column] = []
    /// The columns of the primary key.
    var key: [String] = []
    /// Whether PostgreSQL numbers its rows.
    var hasIdentity = false

    var names: String { columns.map(\.name).joined(separator: ", ") }

    func place(of column: String) -> Int? { columns.firstIndex { $0.name == column } }

    func value(_ column: String, _ row: [SQLValue]) -> SQLValue? { place(of: column).map { row[$0] } }

    func key(of row: [SQLValue]) -> [SQLValue] { key.compactMap { value($0, row) } }
}
