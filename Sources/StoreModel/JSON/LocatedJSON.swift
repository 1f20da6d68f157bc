/// A value of a JSON text (RFC 8259) with its place, so that messages can name the place of a fault. Pure.
package struct LocatedJSON: Sendable {
    /// The value at the place.
    package var value: Value
    /// The position of its first byte in the text.
    package var offset: Int

    /// A value without its place.
    package indirect enum Value: Sendable {
        case null
        case bool(Bool)
        /// A number as it is written in the text.
        case number(String)
        case string(String)
        case array([LocatedJSON])
        case object([Member])
    }

    /// A member of an object.
    package struct Member: Sendable {
        /// Its name, without escapes.
        package var name: String
        /// The position of the first byte of its name, a quotation mark.
        package var offset: Int
        /// Its value.
        package var value: LocatedJSON
    }

    /// Reads a JSON text.
    ///
    /// - Throws: a fault with the place where it ceases to be JSON, or names a member twice.
    package init(parsing bytes: [UInt8]) throws(JSONFault) {
        var reader = JSONReader(bytes)
        self = try reader.whole()
    }

    package init(_ value: Value, at offset: Int) { (self.value, self.offset) = (value, offset) }

    /// The member of an object with this name; `nil` for other values.
    package subscript(name: String) -> LocatedJSON? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The line of a position in a text, from 1.
    package static func line(of offset: Int, in bytes: [UInt8]) -> Int {
        bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1
    }
}

/// Reads a JSON text from its first byte to its last.
private struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    /// The names and numbers that lead to the value that is being read.
    private var path: [String] = []
    private static let deepest = 64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark may be ignored (section 8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func whole() throws(JSONFault) -> LocatedJSON {
        let value = try value()
        skipBlanks()
        guard position == bytes.count else { throw syntax("nothing may follow the value") }
        return value
    }

    private func syntax(_ text: String) -> JSONFault {
        JSONFault(.syntax(text), path: path, offset: min(position, bytes.count))
    }

    private mutating func skipBlanks() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(JSONFault) -> LocatedJSON {
        skipBlanks()
        guard path.count <= Self.deepest else { throw syntax("it is nested too deep") }
        let start = position
        guard start < bytes.count else { throw syntax("a value is missing") }
        switch bytes[start] {
        case UInt8(ascii: "{"): return LocatedJSON(.object(try members()), at: start)
        case UInt8(ascii: "["): return LocatedJSON(.array(try items()), at: start)
        case UInt8(ascii: "\""): return LocatedJSON(.string(try text()), at: start)
        default: return LocatedJSON(try word(), at: start)
        }
    }

    private mutating func members() throws(JSONFault) -> [LocatedJSON.Member] {
        position += 1
        var members: [LocatedJSON.Member] = []
        var names: Set<String> = []
        guard !take("}") else { return [] }
        repeat {
            skipBlanks()
            let start = position
            guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else {
                throw syntax("a name in quotation marks is missing")
            }
            let name = try text()
            guard names.insert(name).inserted else {
                throw JSONFault(.repeated(name), path: path + [name], offset: start)
            }
            guard take(":") else { throw syntax("a colon is missing") }
            path.append(name)
            members.append(.init(name: name, offset: start, value: try value()))
            path.removeLast()
        } while take(",")
        guard take("}") else { throw syntax("a comma or a closing brace is missing") }
        return members
    }

    private mutating func items() throws(JSONFault) -> [LocatedJSON] {
        position += 1
        var items: [LocatedJSON] = []
        guard !take("]") else { return [] }
        repeat {
            path.append("\(items.count)")
            items.append(try value())
            path.removeLast()
        } while take(",")
        guard take("]") else { throw syntax("a comma or a closing bracket is missing") }
        return items
    }

    /// A number, `true`, `false` or `null`.
    private mutating func word() throws(JSONFault) -> LocatedJSON.Value {
        let start = position
        while position < bytes.count, Self.isOfWord(bytes[position]) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            guard word.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else {
                position = start
                throw syntax("a value is missing or is no JSON")
            }
            return .number(word)
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// A text from its quotation mark on.
    private mutating func text() throws(JSONFault) -> String {
        let start = position
        position += 1
        var content: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else {
                    position = start
                    throw syntax("a text is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"): try unescape(into: &content)
            case 0..<0x20: throw syntax("a text has a control character or no end")
            default: content.append(byte)
            }
        }
        throw syntax("a text has no end")
    }

    private mutating func unescape(into content: inout [UInt8]) throws(JSONFault) {
        guard position < bytes.count else { throw syntax("a text has no end") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content += Array(String(try scalar()).utf8)
        default: throw syntax("a text has an escape that JSON does not know")
        }
    }

    /// The scalar of `\uXXXX`, or of two of them that are a surrogate pair.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let first = try unit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), bytes[position...].starts(with: Array(#"\u"#.utf8)) else {
            throw syntax("a text has half of a surrogate pair")
        }
        position += 2
        let second = try unit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw syntax("a text has half of a surrogate pair") }
        return scalar
    }

    private mutating func unit() throws(JSONFault) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        let text = String(decoding: digits, as: UTF8.self)
        guard digits.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt32(text, radix: 16) else {
            throw syntax(#"a text has a \u without four hexadecimal digits"#)
        }
        position += 4
        return unit
    }
}
