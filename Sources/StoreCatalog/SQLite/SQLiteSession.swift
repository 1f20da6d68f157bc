internal import GRDB
internal import GRDBSQLite
internal import Glibc

/// A transaction of SQLite. GRDB keeps the prepared statements of each connection; values are bound and read here, since GRDB's
/// own arguments and rows take longer than SQLite does.
final class SQLiteSession: SQLSession {
    let dialect = SQLDialect.sqlite
    let seal: AddressSeal
    var events: [AssetEvent] = []
    let database: Database

    init(_ database: Database, _ seal: AddressSeal) {
        self.database = database
        self.seal = seal
    }

    func prepare(_ sql: String) throws -> any SQLStatement {
        SQLiteStatement(try database.cachedStatement(sql: sql), database)
    }

    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64 {
        try prepare(sql).execute(arguments)
        return database.lastInsertedRowID
    }

    func script(_ sql: String) throws { try database.execute(sql: sql) }
}

/// `@safe`: the statement lives as long as GRDB's does, which is kept.
@safe private final class SQLiteStatement: SQLStatement {
    private let statement: Statement
    private let handle: OpaquePointer
    private let database: Database

    init(_ statement: Statement, _ database: Database) {
        self.statement = statement
        self.database = database
        unsafe handle = statement.sqliteStatement
    }

    func execute(_ arguments: SQLArguments) throws -> Int {
        try bind(arguments)
        defer { reset() }
        while try step() {}
        return database.changesCount
    }

    func visit(_ arguments: SQLArguments, _ body: (any SQLRow) throws -> Bool) throws {
        try bind(arguments)
        defer { reset() }
        let row = unsafe SQLiteRow(handle)
        while try step() {
            guard try body(row) else { return }
        }
    }

    /// - Returns: whether there is a row.
    private func step() throws -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    private func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    private func failure(_ code: CInt) -> DatabaseError {
        let message = unsafe database.sqliteConnection.flatMap { unsafe String(cString: sqlite3_errmsg($0)) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
    }

    private func bind(_ arguments: SQLArguments) throws {
        guard unsafe Int(sqlite3_bind_parameter_count(handle)) == arguments.values.count else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "\(arguments.values.count) values for other placeholders",
                sql: statement.sql)
        }
        // GRDB may have left it where it stood.
        unsafe sqlite3_reset(handle)
        for (index, value) in arguments.values.enumerated() {
            let code = bind(value, at: CInt(index + 1))
            guard code == SQLITE_OK else {
                let error = failure(code)
                reset()
                throw error
            }
        }
    }

    private func bind(_ value: SQLValue, at index: CInt) -> CInt {
        switch value {
        case .null: unsafe sqlite3_bind_null(handle, index)
        case .integer(let value): unsafe sqlite3_bind_int64(handle, index, value)
        case .real(let value): unsafe sqlite3_bind_double(handle, index, value)
        case .text(let value):
            unsafe value.withCString { text in
                unsafe sqlite3_bind_text(handle, index, text, CInt(value.utf8.count), Self.copied)
            }
        case .bytes(let value):
            unsafe value.withUnsafeBytes { bytes in
                // With a null pointer, the value would be NULL.
                unsafe bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sqlite3_bind_blob(handle, index, bytes.baseAddress, CInt(bytes.count), Self.copied)
            }
        }
    }

    /// SQLite's SQLITE_TRANSIENT: it copies the value.
    private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The row that a statement stands at.
@safe private final class SQLiteRow: SQLRow {
    private let handle: OpaquePointer
    private let count: CInt
    /// The column that was asked for last: columns are mostly read in their order.
    private var last: CInt = -1

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
        count = unsafe sqlite3_column_count(handle)
    }

    /// The place of a column whose value is not NULL.
    private func place(of column: SQLColumn) -> CInt? {
        let place: CInt? =
            switch column {
            case .at(let index): CInt(index)
            case .named(let name): self.place(named: name)
            }
        guard let place, unsafe sqlite3_column_type(handle, place) != SQLITE_NULL else { return nil }
        return place
    }

    private func place(named name: String) -> CInt? {
        unsafe name.withCString { wanted in
            for offset in 1...max(1, count) {
                let place = (last + offset) % max(1, count)
                guard let found = unsafe sqlite3_column_name(handle, place) else { continue }
                if unsafe strcmp(found, wanted) == 0 {
                    last = place
                    return place
                }
            }
            return nil
        }
    }

    func integer(_ column: SQLColumn) -> Int64? {
        place(of: column).map { unsafe sqlite3_column_int64(handle, $0) }
    }

    func real(_ column: SQLColumn) -> Double? {
        place(of: column).map { unsafe sqlite3_column_double(handle, $0) }
    }

    func text(_ column: SQLColumn) -> String? {
        guard let place = place(of: column), let start = unsafe sqlite3_column_text(handle, place) else {
            return nil
        }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: length(place)), as: UTF8.self)
    }

    func bytes(_ column: SQLColumn) -> [UInt8]? {
        guard let place = place(of: column) else { return nil }
        guard let start = unsafe sqlite3_column_blob(handle, place) else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: length(place)))
    }

    private func length(_ place: CInt) -> Int { unsafe Int(sqlite3_column_bytes(handle, place)) }
}
