internal import ASCII

/// Splits CSS into component values (CSS Syntax 3 §4 and §5.4). Never fails: invalid CSS becomes `bad`.
struct CSSTokenizer {
    /// The largest depth of nested functions and blocks. Deeper ones are `bad`.
    static let maximumDepth = 16
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Every value up to the end.
    mutating func values() -> [CSSToken] { values(until: nil, depth: 0) }

    /// The values up to a closing byte, which is passed.
    private mutating func values(until end: UInt8?, depth: Int) -> [CSSToken] {
        var values: [CSSToken] = []
        while let byte = peek() {
            if byte == end {
                position += 1
                break
            }
            if let value = next(depth) { values.append(value) }
        }
        return values
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private mutating func next(_ depth: Int) -> CSSToken? {
        let byte = bytes[position]
        if byte.isWhitespace {
            while let byte = peek(), byte.isWhitespace { position += 1 }
            return .whitespace
        }
        if byte == .slash, peek(1) == UInt8(ascii: "*") { return skipComment() }
        if startsNumber() { return numeric() }
        if startsName() { return nameOrFunction(depth) }
        position += 1
        return symbol(byte, depth)
    }

    private mutating func symbol(_ byte: UInt8, _ depth: Int) -> CSSToken {
        switch byte {
        case .colon: return .colon
        case .semicolon: return .semicolon
        case .comma: return .comma
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return string(byte)
        case UInt8(ascii: "{"): return block(byte, until: UInt8(ascii: "}"), depth)
        case UInt8(ascii: "["): return block(byte, until: UInt8(ascii: "]"), depth)
        case UInt8(ascii: "("): return block(byte, until: UInt8(ascii: ")"), depth)
        case UInt8(ascii: "#") where peek().map(CSSTokenizer.isNameByte) ?? false: return .hash(name())
        case UInt8(ascii: "@") where startsName(): return .atKeyword(name().asciiLowercased)
        default: return .delimiter(Character(Unicode.Scalar(byte)))
        }
    }

    private mutating func block(_ opening: UInt8, until end: UInt8, _ depth: Int) -> CSSToken {
        guard depth < CSSTokenizer.maximumDepth else { return .bad }
        return .block(opening, values(until: end, depth: depth + 1))
    }

    private mutating func skipComment() -> CSSToken? {
        position += 2
        while position < bytes.count {
            position += 1
            if bytes[position - 1] == UInt8(ascii: "*"), peek() == .slash {
                position += 1
                break
            }
        }
        return nil
    }
}

// MARK: - Names and strings

extension CSSTokenizer {
    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == .hyphen || byte == UInt8(ascii: "_") || byte >= 0x80
            || byte == backslash
    }

    private static let backslash = UInt8(ascii: "\\")

    private func startsName() -> Bool {
        guard let first = peek(), CSSTokenizer.isNameByte(first), !first.isDigit else { return false }
        guard first == .hyphen else { return first != CSSTokenizer.backslash || peek(1) != .lineFeed }
        guard let second = peek(1) else { return false }
        return CSSTokenizer.isNameByte(second) && !second.isDigit
    }

    private mutating func name() -> String {
        var name: [UInt8] = []
        while let byte = peek(), CSSTokenizer.isNameByte(byte) {
            position += 1
            if byte == CSSTokenizer.backslash { name += escaped() } else { name.append(byte) }
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The character behind a backslash: up to six hexadecimal digits and a blank, or the character itself.
    private mutating func escaped() -> [UInt8] {
        var (value, count): (UInt32, Int) = (0, 0)
        while count < 6, let digit = peek()?.hexValue {
            (value, count) = (value * 16 + UInt32(digit), count + 1)
            position += 1
        }
        guard count > 0 else {
            guard let byte = peek() else { return [0xEF, 0xBF, 0xBD] }
            position += 1
            return [byte]
        }
        if let byte = peek(), byte.isWhitespace { position += 1 }
        let scalar = Unicode.Scalar(value).flatMap { $0 == "\0" ? nil : $0 } ?? "\u{FFFD}"
        return Array(String(scalar).utf8)
    }

    private mutating func nameOrFunction(_ depth: Int) -> CSSToken {
        let name = name()
        guard peek() == UInt8(ascii: "(") else { return .ident(name) }
        position += 1
        guard depth < CSSTokenizer.maximumDepth else { return .bad }
        let arguments = values(until: UInt8(ascii: ")"), depth: depth + 1)
        let lowercased = name.asciiLowercased
        return lowercased == "url" ? .url : .function(lowercased, arguments)
    }

    private mutating func string(_ quote: UInt8) -> CSSToken {
        var text: [UInt8] = []
        while let byte = peek() {
            if byte == .lineFeed { return .bad }
            position += 1
            if byte == quote { break }
            if byte != CSSTokenizer.backslash {
                text.append(byte)
            } else if peek() == .lineFeed {
                position += 1
            } else {
                text += escaped()
            }
        }
        return .string(String(decoding: text, as: UTF8.self))
    }
}

// MARK: - Numbers

extension CSSTokenizer {
    private func startsNumber() -> Bool {
        let isSigned = peek() == .hyphen || peek() == UInt8(ascii: "+")
        let start = isSigned ? 1 : 0
        guard let first = peek(start) else { return false }
        if first == .dot { return peek(start + 1)?.isDigit ?? false }
        return first.isDigit
    }

    private mutating func numeric() -> CSSToken {
        let value = number()
        if peek() == .percent {
            position += 1
            return .percentage(value)
        }
        return startsName() ? .dimension(value, name().asciiLowercased) : .number(value)
    }

    private mutating func number() -> Double {
        let start = position
        position += 1
        skipDigits()
        if bytes[start] != .dot, peek() == .dot, peek(1)?.isDigit ?? false {
            position += 1
            skipDigits()
        }
        skipExponent()
        let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)) ?? 0
        return min(max(value, -1e9), 1e9)
    }

    private mutating func skipDigits() {
        while peek()?.isDigit ?? false { position += 1 }
    }

    private mutating func skipExponent() {
        guard let letter = peek(), letter | 0x20 == UInt8(ascii: "e") else { return }
        let isSigned = peek(1) == .hyphen || peek(1) == UInt8(ascii: "+")
        guard peek(isSigned ? 2 : 1)?.isDigit ?? false else { return }
        position += isSigned ? 2 : 1
        skipDigits()
    }
}
