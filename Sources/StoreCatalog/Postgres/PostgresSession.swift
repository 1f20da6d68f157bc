internal import PostgresClient

/// A transaction of PostgreSQL. The server keeps the prepared statements of each connection.
final class PostgresSession: SQLSession {
    let dialect = SQLDialect.postgres
    let seal: AddressSeal
    var events: [AssetEvent] = []
    private let connection: PostgresConnection

    init(_ connection: PostgresConnection, _ seal: AddressSeal) {
        self.connection = connection
        self.seal = seal
    }

    func prepare(_ sql: String) throws -> any SQLStatement { PostgresStatement(sql, connection) }

    func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64 {
        try prepare("\(sql) RETURNING id").first(arguments) { $0[0] } ?? 0
    }

    func script(_ sql: String) throws { try connection.script(sql) }
}

private final class PostgresStatement: SQLStatement {
    private let sql: String
    private let connection: PostgresConnection

    init(_ sql: String, _ connection: PostgresConnection) {
        self.sql = sql
        self.connection = connection
    }

    func execute(_ arguments: SQLArguments) throws -> Int { try run(arguments).changed }

    func visit(_ arguments: SQLArguments, _ body: (any SQLRow) throws -> Bool) throws {
        let result = try run(arguments)
        let row = PostgresRow(result)
        while row.number < result.count {
            guard try body(row) else { return }
            row.number += 1
        }
    }

    private func run(_ arguments: SQLArguments) throws -> PostgresResult {
        try connection.execute(sql, try arguments.values.map { try $0.parameter })
    }
}

private final class PostgresRow: SQLRow {
    private let result: PostgresResult
    var number = 0

    init(_ result: PostgresResult) { self.result = result }

    private func place(of column: SQLColumn) -> Int? {
        switch column {
        case .at(let index): index
        case .named(let name): result.place(of: name)
        }
    }

    func integer(_ column: SQLColumn) -> Int64? { place(of: column).flatMap { result.integer(number, $0) } }

    func real(_ column: SQLColumn) -> Double? { place(of: column).flatMap { result.real(number, $0) } }

    func text(_ column: SQLColumn) -> String? { place(of: column).flatMap { result.text(number, $0) } }

    func bytes(_ column: SQLColumn) -> [UInt8]? { place(of: column).flatMap { result.bytes(number, $0) } }
}

extension SQLValue {
    /// The value as libpq takes it.
    ///
    /// - Throws: when a text holds NUL, which PostgreSQL can't keep.
    fileprivate var parameter: PostgresParameter {
        get throws(PostgresError) {
            switch self {
            case .null: return .null
            case .integer(let value): return .text(String(value))
            case .real(let value): return .text("\(value)")
            case .bytes(let value): return .bytes(value)
            case .text(let value):
                guard !value.utf8.contains(0) else { throw .refused(state: "22021", "a text holds NUL") }
                return .text(value)
            }
        }
    }
}
