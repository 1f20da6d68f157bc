internal import ASCII

/// Percent-encoding (RFC 3986 §2.1).
enum URIEncoding {
    /// Encodes characters that no URI may have: controls, blanks, `"<>\^`{|}` and everything outside of ASCII. A `%`
    /// stays, so nothing is encoded twice.
    static func encode(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isAllowed) else { return text }
        var result = ""
        for byte in text.utf8 {
            if isAllowed(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += String(decoding: Hexadecimal.percentEncoded(byte), as: UTF8.self)
            }
        }
        return result
    }

    /// Decodes `%XX`; a `%` without two digits stays. Bytes that are not UTF-8 are replaced.
    static func decode(_ text: Substring) -> String {
        guard text.utf8.contains(.percent) else { return String(text) }
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(\.hexValue)
            if byte == .percent, digits.count == 2 {
                result.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        guard byte > .space, byte < 0x7F else { return false }
        switch byte {
        case .quote, .backslash, .openBrace, .closeBrace, .lessThan, .greaterThan,
            UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"):
            return false
        default: return true
        }
    }
}
