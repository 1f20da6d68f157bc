internal import FoundationEssentials
internal import GRDB

/// A transaction of SQLite. GRDB keeps the prepared statements of each connection.
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

private final class SQLiteStatement: SQLStatement {
    private let statement: Statement
    private let database: Database

    init(_ statement: Statement, _ database: Database) {
        self.statement = statement
        self.database = database
    }

    func execute(_ arguments: SQLArguments) throws -> Int {
        try statement.execute(arguments: StatementArguments(arguments.values))
        return database.changesCount
    }

    func visit(_ arguments: SQLArguments, _ body: (any SQLRow) throws -> Bool) throws {
        let rows = try Row.fetchCursor(statement, arguments: StatementArguments(arguments.values))
        guard let first = try rows.next() else { return }
        // The cursor hands out the same row, filled with the next values.
        let row = SQLiteRow(first)
        repeat {
            guard try body(row) else { return }
        } while try rows.next() != nil
    }
}

private final class SQLiteRow: SQLRow {
    private let row: Row

    init(_ row: Row) { self.row = row }

    func integer(_ column: SQLColumn) -> Int64? {
        switch column {
        case .at(let index): row[index]
        case .named(let name): row[name]
        }
    }

    func real(_ column: SQLColumn) -> Double? {
        switch column {
        case .at(let index): row[index]
        case .named(let name): row[name]
        }
    }

    func text(_ column: SQLColumn) -> String? {
        switch column {
        case .at(let index): row[index]
        case .named(let name): row[name]
        }
    }

    func bytes(_ column: SQLColumn) -> [UInt8]? {
        // Nothing here throws: the closure is one that could.
        switch column {
        case .at(let index): (try? row.withUnsafeData(atIndex: index) { $0.map { [UInt8]($0) } }) ?? nil
        case .named(let name): (try? row.withUnsafeData(named: name) { $0.map { [UInt8]($0) } }) ?? nil
        }
    }
}

extension SQLValue: DatabaseValueConvertible {
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .real(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): Data(value).databaseValue
        }
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> SQLValue? {
        switch value.storage {
        case .null: .null
        case .int64(let value): .integer(value)
        case .double(let value): .real(value)
        case .string(let value): .text(value)
        case .blob(let value): .bytes([UInt8](value))
        }
    }
}
