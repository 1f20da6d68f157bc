internal import ASCII

extension UInt8 {
    /// tchar, RFC 9110 §5.6.2.
    var isTokenCharacter: Bool {
        if isLetter || isDigit { return true }
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            return true
        default: return false
        }
    }

    /// field-vchar, SP or HTAB, RFC 9110 §5.5.
    var isFieldCharacter: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
