/// A parameter of a statement.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
}

/// A type whose values can be parameters of a statement.
package protocol SQLEncodable {
    var sqlValue: SQLValue { get }
}

/// A type of a column's values.
package protocol SQLDecodable {
    /// - Returns: `nil` when the column is NULL.
    static func read(_ column: SQLColumn, of row: any SQLRow) -> Self?
}

/// The place of a column in a result, or its name.
package enum SQLColumn: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, Sendable {
    case at(Int)
    case named(String)

    package init(integerLiteral place: Int) { self = .at(place) }
    package init(stringLiteral name: String) { self = .named(name) }
}

/// A row of a result. It is valid until the next one is read.
package protocol SQLRow: AnyObject {
    /// Truth values are 1 and 0.
    func integer(_ column: SQLColumn) -> Int64?
    func real(_ column: SQLColumn) -> Double?
    func text(_ column: SQLColumn) -> String?
    func bytes(_ column: SQLColumn) -> [UInt8]?
}

extension SQLRow {
    /// A column that is never NULL.
    package subscript<Value: SQLDecodable>(_ column: SQLColumn) -> Value {
        guard let value = Value.read(column, of: self) else {
            preconditionFailure("the column \(column) is NULL")
        }
        return value
    }

    /// A column that may be NULL.
    package subscript<Value: SQLDecodable>(_ column: SQLColumn) -> Value? { Value.read(column, of: self) }
}

/// The parameters of a statement, in the order of their places.
package struct SQLArguments: ExpressibleByArrayLiteral, Sendable {
    package var values: [SQLValue]

    package init(_ values: [SQLValue]) { self.values = values }

    package init(arrayLiteral elements: (any SQLEncodable)?...) {
        values = elements.map { $0?.sqlValue ?? .null }
    }

    static func + (left: SQLArguments, right: SQLArguments) -> SQLArguments {
        SQLArguments(left.values + right.values)
    }

    static func += (left: inout SQLArguments, right: SQLArguments) { left.values += right.values }
}

/// A list of values for a comparison: `column IN (\(list.marks))`.
///
/// The list is padded with NULL, which equals nothing, so that lists of all lengths need only a few texts, each of
/// which is prepared once.
package struct SQLList {
    package let arguments: SQLArguments
    /// Placeholders for `arguments`.
    package let marks: String

    package init(_ tokens: [AssetToken]) { self.init(tokens.map { .text($0.description) }) }

    package init(_ ids: [Int64]) { self.init(ids.map { .integer($0) }) }

    init(_ values: [SQLValue]) {
        let size = Self.size(for: values.count)
        arguments = SQLArguments(values + Array(repeating: .null, count: size - values.count))
        marks = size == 1 ? "?" : "?" + String(repeating: ",?", count: max(0, size - 1))
    }

    /// The next power of two, and the next multiple of 1024 above that.
    private static func size(for count: Int) -> Int {
        guard count <= 1024 else { return (count + 1023) / 1024 * 1024 }
        var size = 1
        while size < count { size *= 2 }
        return size
    }
}

extension SQLValue: SQLEncodable {
    package var sqlValue: SQLValue { self }
}

extension Int64: SQLEncodable, SQLDecodable {
    package var sqlValue: SQLValue { .integer(self) }
    package static func read(_ column: SQLColumn, of row: any SQLRow) -> Int64? { row.integer(column) }
}

extension Int: SQLEncodable, SQLDecodable {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
    package static func read(_ column: SQLColumn, of row: any SQLRow) -> Int? {
        row.integer(column).map { Int($0) }
    }
}

extension Bool: SQLEncodable, SQLDecodable {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    package static func read(_ column: SQLColumn, of row: any SQLRow) -> Bool? {
        row.integer(column).map { $0 != 0 }
    }
}

extension Double: SQLEncodable, SQLDecodable {
    package var sqlValue: SQLValue { .real(self) }
    package static func read(_ column: SQLColumn, of row: any SQLRow) -> Double? { row.real(column) }
}

extension String: SQLEncodable, SQLDecodable {
    package var sqlValue: SQLValue { .text(self) }
    package static func read(_ column: SQLColumn, of row: any SQLRow) -> String? { row.text(column) }
}

extension [UInt8]: SQLEncodable, SQLDecodable {
    package var sqlValue: SQLValue { .bytes(self) }
    package static func read(_ column: SQLColumn, of row: any SQLRow) -> [UInt8]? { row.bytes(column) }
}
