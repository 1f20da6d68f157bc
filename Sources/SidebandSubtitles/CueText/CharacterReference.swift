internal import ASCII

/// A character reference such as `&amp;`, `&#233;` or `&#xE9;` (WHATWG HTML §13.2.5.72).
struct CharacterReference {
    /// The characters it stands for.
    var text: String
    /// Its length in bytes, with the ampersand.
    var length: Int

    /// Reads the reference whose ampersand is at a place; `nil` without a valid one.
    init?(_ bytes: [UInt8], at ampersand: Int) {
        var reader = ByteReader(bytes, ampersand + 1..<bytes.count)
        if reader.skip(UInt8(ascii: "#")) {
            self.init(numeric: &reader, start: ampersand)
        } else {
            self.init(named: reader)
        }
    }

    private init?(numeric reader: inout ByteReader, start: Int) {
        let isHex = reader.next.map { $0 | 0x20 } == UInt8(ascii: "x")
        if isHex, let mark = reader.next { _ = reader.skip(mark) }
        guard
            let code = isHex ? reader.hexNumber() : reader.digits().map({ UInt32(min($0.value, 0x11_0000)) })
        else { return nil }
        _ = reader.skip(.semicolon)
        text = String(CharacterReference.scalar(code))
        length = reader.position - start
    }

    private init?(named reader: ByteReader) {
        let table = CharacterReferenceTable.shared
        let letters = reader.bytes[reader.remainder].prefix(CharacterReferenceTable.longestName)
            .prefix { $0.isLetter || $0.isDigit }
        if letters.endIndex < reader.end, reader.bytes[letters.endIndex] == .semicolon,
            let entry = table.entry(letters)
        {
            self.init(text: table.text(entry), length: letters.count + 2)
            return
        }
        for count in stride(from: letters.count, to: 1, by: -1) {
            if let entry = table.entry(letters.prefix(count)), table.isFreeOfSemicolon(entry) {
                self.init(text: table.text(entry), length: count + 1)
                return
            }
        }
        return nil
    }

    private init(text: String, length: Int) {
        self.text = text
        self.length = length
    }

    /// The character that a number stands for. Numbers from 0x80 mean Windows-1252; a number of no character gives
    /// U+FFFD.
    static func scalar(_ code: UInt32) -> Character {
        var code = code
        if code >= 0x80 && code < 0xA0 { code = windows1252[Int(code - 0x80)] }
        guard code != 0, let scalar = Unicode.Scalar(code) else { return "\u{FFFD}" }
        return Character(scalar)
    }

    /// The characters of the numbers 0x80 to 0x9F (WHATWG HTML §13.2.5.80).
    private static let windows1252: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
        0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
}

extension ByteReader {
    fileprivate mutating func hexNumber() -> UInt32? {
        var value: UInt32?
        while let byte = next, let digit = byte.hexValue {
            value = min((value ?? 0) * 16 + UInt32(digit), 0x11_0000)
            _ = skip(byte)
        }
        return value
    }
}
