/// Texts of statements.
package enum PostgresText {
    /// A statement with PostgreSQL's placeholders (`$1`) instead of `?` and `?1`. As in SQLite, `?` has the number after
    /// the largest one before it. Text between quotation marks stays.
    package static func numbered(_ sql: String) -> String {
        var (result, next) = ([UInt8](), 1)
        var quote: UInt8?
        var rest = Array(sql.utf8)[...]
        while let byte = rest.popFirst() {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "?") {
                let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                rest = rest.dropFirst(digits.count)
                let number = Int(String(decoding: digits, as: UTF8.self)) ?? next
                result += "$\(number)".utf8
                next = max(next, number + 1)
                continue
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
