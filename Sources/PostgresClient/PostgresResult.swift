internal import CPostgres
internal import Glibc

/// The rows that a statement returned. Values are read by the type of their column.
@safe package final class PostgresResult {
    private let handle: OpaquePointer
    private lazy var names = columnNames()
    /// The column that was asked for last: columns are mostly read in their order.
    private var last = -1
    /// The number of rows.
    package let count: Int

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
        count = unsafe Int(cpostgres_rows(handle))
    }

    deinit { unsafe cpostgres_clear(handle) }

    /// How many rows the statement has entered, changed or deleted.
    package var changed: Int { unsafe Int(String(cString: cpostgres_changed(handle))) ?? 0 }

    /// The error of the server; `nil` when the statement ran.
    var refusal: PostgresError? {
        guard unsafe cpostgres_succeeded(handle) == 0 else { return nil }
        return unsafe .refused(
            state: String(cString: cpostgres_state(handle)), String(cString: cpostgres_message(handle)))
    }

    private func columnNames() -> [String] {
        let columns = unsafe Int(cpostgres_columns(handle))
        return (0..<columns).map { unsafe String(cString: cpostgres_name(handle, Int32($0))) }
    }

    /// The position of a column; `nil` without a column of this name.
    package func place(of name: String) -> Int? {
        for offset in 1...max(1, names.count) {
            let place = (last + offset) % max(1, names.count)
            guard place < names.count, names[place] == name else { continue }
            last = place
            return place
        }
        return nil
    }

    /// A number without fraction, or a truth value as 1 or 0.
    package func integer(_ row: Int, _ column: Int) -> Int64? {
        unsafe value(in: row, column) { type, bytes in
            switch type {
            case .boolean, .integer2, .integer4, .integer8: unsafe Self.signed(bytes)
            case .real4, .real8: unsafe Self.real(type, bytes).map { Int64($0) }
            case .numeric: unsafe Self.decimal(bytes).map { Int64($0) }
            default: unsafe Int64(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// A number.
    package func real(_ row: Int, _ column: Int) -> Double? {
        unsafe value(in: row, column) { type, bytes in
            switch type {
            case .boolean, .integer2, .integer4, .integer8: unsafe Self.signed(bytes).map { Double($0) }
            case .real4, .real8: unsafe Self.real(type, bytes)
            case .numeric: unsafe Self.decimal(bytes)
            default: unsafe Double(String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    /// A text.
    package func text(_ row: Int, _ column: Int) -> String? {
        unsafe value(in: row, column) { _, bytes in unsafe String(decoding: bytes, as: UTF8.self) }
    }

    /// Bytes.
    package func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        unsafe value(in: row, column) { _, bytes in unsafe [UInt8](bytes) }
    }

    private func value<T>(
        in row: Int, _ column: Int, _ body: (ColumnType, UnsafeRawBufferPointer) -> T?
    ) -> T? {
        var length: Int32 = 0
        let start = unsafe cpostgres_value(handle, Int32(row), Int32(column), &length)
        guard let start = unsafe start else { return nil }
        let type = ColumnType(rawValue: unsafe cpostgres_type(handle, Int32(column))) ?? .other
        return unsafe body(type, UnsafeRawBufferPointer(start: start, count: Int(length)))
    }

    /// The types that values come in (`pg_type.dat`); all others are text.
    private enum ColumnType: UInt32 {
        case boolean = 16
        case integer8 = 20
        case integer2 = 21
        case integer4 = 23
        case real4 = 700
        case real8 = 701
        case numeric = 1700
        case other = 0
    }

    /// A signed number, the highest byte first.
    private static func signed(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard unsafe !bytes.isEmpty else { return nil }
        // A truth value is one byte, and never negative.
        let isNegative = unsafe bytes.count > 1 && bytes[0] & 0x80 != 0
        return unsafe bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    private static func real(_ type: ColumnType, _ bytes: UnsafeRawBufferPointer) -> Double? {
        let bits = unsafe bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return type == .real8
            ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    }

    /// A decimal number: how many digits of 10,000 there are, the power of the first one, the sign, the digits that are shown
    /// after the point, and the digits.
    private static func decimal(_ bytes: UnsafeRawBufferPointer) -> Double? {
        let words = stride(from: 0, to: bytes.count - 1, by: 2).map { at in
            unsafe Int16(truncatingIfNeeded: Int(bytes[at]) << 8 | Int(bytes[at + 1]))
        }
        guard words.count >= 4, UInt16(bitPattern: words[2]) & 0x8000 == 0 else { return nil }
        var power = Int(words[1])
        var sum = 0.0
        for digit in words.dropFirst(4) {
            sum += Double(digit) * Glibc.pow(10_000, Double(power))
            power -= 1
        }
        return words[2] == 0x4000 ? -sum : sum
    }
}
