/// A transaction of the catalog: the tables speak to it in SQL that SQLite and PostgreSQL both understand.
///
/// Placeholders are `?`, or `?1`, `?2`… when a value is needed twice. Truth values are compared with TRUE and FALSE, and
/// values that may be NULL with IS NOT DISTINCT FROM. Each text is prepared once for each connection, so that a text must
/// not hold values.
package protocol SQLSession: AnyObject {
    var dialect: SQLDialect { get }
    /// The seal of addresses.
    var seal: AddressSeal { get }
    /// The events of the transaction: they are numbered and entered as its last statements.
    var events: [AssetEvent] { get set }

    /// A statement, prepared when the connection has not seen it yet.
    func prepare(_ sql: String) throws -> any SQLStatement

    /// Enters a row into a table with an `id` of its own.
    ///
    /// - Returns: that `id`.
    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64

    /// Runs several statements without parameters.
    func script(_ sql: String) throws
}

/// The engine's own SQL, where there is no text for both.
package enum SQLDialect: Sendable {
    case sqlite
    case postgres
}

/// A prepared statement. Its rows must be read before it is used again.
package protocol SQLStatement: AnyObject {
    /// - Returns: how many rows were entered, changed or deleted.
    @discardableResult
    func execute(_ arguments: SQLArguments) throws -> Int

    /// Hands on the rows of the result one by one, until `body` returns `false`.
    func visit(_ arguments: SQLArguments, _ body: (any SQLRow) throws -> Bool) throws
}

extension SQLStatement {
    /// The first row of the result; `nil` when it is empty.
    package func first<Value>(
        _ arguments: SQLArguments, as body: (any SQLRow) throws -> Value
    ) throws -> Value? {
        var found: Value?
        try visit(arguments) { row in
            found = try body(row)
            return false
        }
        return found
    }
}

extension SQLSession {
    /// Writes an event into the log with the transaction.
    package func record(_ event: AssetEvent) { events.append(event) }

    /// Runs a statement.
    ///
    /// - Returns: how many rows were entered, changed or deleted.
    @discardableResult
    package func execute(_ sql: String, _ arguments: SQLArguments = []) throws -> Int {
        try prepare(sql).execute(arguments)
    }

    /// The rows of a result.
    package func rows<Value>(
        _ sql: String, _ arguments: SQLArguments = [], as body: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        var found: [Value] = []
        try each(sql, arguments) { found.append(try body($0)) }
        return found
    }

    /// Hands on the rows of a result one by one.
    package func each(
        _ sql: String, _ arguments: SQLArguments = [], do body: (any SQLRow) throws -> Void
    ) throws {
        try prepare(sql).visit(arguments) { row in
            try body(row)
            return true
        }
    }

    /// The first row of a result; `nil` when it is empty.
    package func first<Value>(
        _ sql: String, _ arguments: SQLArguments = [], as body: (any SQLRow) throws -> Value
    ) throws -> Value? {
        try prepare(sql).first(arguments, as: body)
    }

    /// The first column of all rows.
    package func values<Value: SQLDecodable>(_ sql: String, _ arguments: SQLArguments = []) throws -> [Value]
    {
        try rows(sql, arguments) { $0[0] }
    }

    /// The first column of the first row; `nil` for NULL, and without a row.
    package func value<Value: SQLDecodable>(_ sql: String, _ arguments: SQLArguments = []) throws -> Value? {
        try first(sql, arguments) { $0[0] as Value? } ?? nil
    }

    /// The assets that the first column names.
    func tokens(_ sql: String, _ arguments: SQLArguments = []) throws -> [AssetToken] {
        try rows(sql, arguments) { AssetToken($0[0] as String) }.compactMap(\.self)
    }

    /// Whether a query has a row.
    package func hasRow(_ sql: String, _ arguments: SQLArguments = []) throws -> Bool {
        try first(sql, arguments) { _ in true } ?? false
    }
}
